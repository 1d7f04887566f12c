// What else is waited for: scripts that build a page once it has been read, and answers on sockets.

// Deferred scripts and modules have run when a document says that it is loaded: until then it may not listen to clicks.
if (document.readyState === "loading") {
  const id = ++requestId;
  activity.pending.set(id, { caused: true, until: Infinity });
  document.addEventListener("DOMContentLoaded", () => later(() => ended(id), 0), { once: true });
}

const ANSWERING = 1000; // ms: the longest that an answer on a socket is waited for
const TYPING = 250; // ms: the same while one types, as most of that is only noted by the other side
const PAUSE = 80; // ms without a message, after which an answer is over
// What is said on a socket while an action is followed is answered by what comes next, as is opening one. One that
// never falls silent is let go.
function talking(socket) {
  let id = 0;
  let timer = 0;
  const over = () => ended(id);
  const heard = () => {
    if (!activity.pending.has(id)) return;
    reacting();
    clearTimeout(timer);
    timer = later(over, PAUSE);
  };
  for (const type of ["open", "message"]) socket.addEventListener(type, heard);
  socket.addEventListener("close", over);
  return (span) => {
    if (!activity.acting || activity.pending.has(id)) return;
    clearTimeout(timer);
    id = ++requestId;
    activity.pending.set(id, { caused: true, until: now() + span });
  };
}
const says = new WeakMap();
window.WebSocket = new Proxy(window.WebSocket, {
  construct(target, args, self) {
    const socket = Reflect.construct(target, args, self);
    const say = talking(socket);
    says.set(socket, say);
    say(OPENING);
    return socket;
  },
});
WebSocket.prototype.send = new Proxy(WebSocket.prototype.send, {
  apply(target, self, args) {
    says.get(self)?.(window.event?.type === "input" ? TYPING : ANSWERING);
    return Reflect.apply(target, self, args);
  },
});
