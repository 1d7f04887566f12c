// What else is waited for: scripts that build a page once it has been read or when they are needed, and answers on sockets.

// Deferred scripts and modules have run when a document says that it is loaded: until then it may not listen to clicks.
// Those that run whenever they have come may be still to come then: many an application is built by nothing else.
const standingAtFirst = new Set(); // the addresses of the scripts of a document as it was read
const isOwn = (el) => el.src.startsWith(`${location.origin}/`);
if (document.readyState === "loading") {
  const id = ++requestId;
  activity.pending.set(id, { caused: true, until: Infinity });
  const over = new WeakSet();
  const hear = ({ target }) => over.add(target);
  for (const end of ["load", "error"]) listen(document, end, hear, { capture: true });
  const isComing = (el) => el.async && !over.has(el) && /^$|module|javascript/i.test(el.type);
  const read = () => {
    document.querySelectorAll("script[src]").forEach((el) => {
      if (!el.async || el.hasAttribute("async")) standingAtFirst.add(el.src); // what a script puts in is async without saying so
      if (isComing(el)) fetching(el, isOwn(el) ? Infinity : OPENING);
    });
    later(() => ended(id), 0);
  };
  listen(document, "DOMContentLoaded", read, { once: true });
}

// Parts of an application that it puts into the page when they are needed.
function fetching(el, most = OPENING) {
  const isScript = el instanceof HTMLScriptElement && !el.noModule;
  const isStyle = el instanceof HTMLLinkElement && /\b(?:stylesheet|modulepreload)\b/i.test(el.rel);
  const address = isScript ? el.src : isStyle ? el.href : "";
  if (!address || document.readyState === "loading") return;
  const id = ++requestId;
  // What is fetched again and again is a poll.
  const key = `script ${address.split("?")[0]}`;
  activity.pending.set(id, { caused: activity.acting && !activity.seen.has(key), until: now() + most });
  activity.seen.add(key);
  for (const end of ["load", "error"]) el.addEventListener(end, () => later(() => ended(id), 0), { once: true });
}
// Of the modules that an application imports while it runs nothing in the page shows it before they are there. Where the
// browser is not asked for them yet, the first page is complete when nothing has come for a moment.
const ARRIVING = 150; // ms
const BEAT = 20; // ms; one that comes later shows a slow machine, not a slow page
// An application that a packer has taken apart comes in several scripts of its own that run whenever they have come, as those
// of Next.js, and fetches more of them as modules do.
const isModular = () => document.querySelector("script[type=module]") !== null || [...document.querySelectorAll("script[async][src]")].filter(isOwn).length > 1;
// An application may show what a part of it gives later than it comes: React, 300 ms after it has shown that it waits.
const SHOWN = 350; // ms
const partCame = () => Math.max(-Infinity, ...performance.getEntriesByType("resource").filter((one) => one.initiatorType === "script" && !standingAtFirst.has(one.name)).map((one) => one.responseEnd));
// The scripts that stand in a document that has been read: they are waited for.
const standing = () => [...document.querySelectorAll("script[src]:not([async])")].map((el) => el.src.split("?")[0]);
async function assembled(cap) {
  const end = now() + Math.min(cap, OPENING);
  let silent = 0;
  let known = -1;
  while (now() < end && (silent < ARRIVING || now() - partCame() < SHOWN)) {
    const come = performance.getEntriesByType("resource").length + activity.changes + requestId;
    silent = come === known ? silent + BEAT : 0;
    known = come;
    await new Promise((go) => later(go, BEAT));
  }
}
// Wait for all of a document, as it does not show before what it is made of: whether that is modules, and how much of a time
// is left then.
async function complete(cap, opening) {
  let end = now() + cap;
  while (opening && document.readyState === "loading" && !activity.navigating && now() < end) {
    if (!document.body) end = now() + cap;
    await woken(50);
  }
  const left = Math.max(0, end - now());
  const modular = isModular();
  if (modular && opening) await assembled(left);
  return { modular, left };
}

const ANSWERING = 1000; // ms: the longest silence that an answer on a socket is waited for
const TYPING = 250; // ms: the same while one types, as most of that is only noted by the other side
const TALKING = 4000; // ms: the longest altogether
const PAUSE = 80; // ms without a message, after which an answer is over; twice the longest silence in it, where that is longer, up to
const STARTING = 400; // ms, which is waited while an application starts that draws what its socket sends, and after a receipt
// What is said on a socket while an action is followed is answered by what comes next, as is opening one: by a receipt,
// often, before what it draws. One that never falls silent is let go.
function talking(socket) {
  let id = 0;
  let timer = 0;
  let begun = 0;
  let before = 0;
  let told = false;
  let last = 0;
  let pause = PAUSE;
  let patience = 0;
  const over = () => ended(id);
  const silent = () => (activity.touched === activity.changes > before ? over() : (timer = later(over, STARTING - pause)));
  const waitFor = (span) => {
    patience = span;
    // What another action had begun to say, or has been let go, gives this one no less time.
    if (!(activity.pending.get(id)?.until > now()) || id <= activity.over) {
      activity.pending.delete(id);
      id = ++requestId;
      begun = now();
      before = activity.changes;
      told = false;
      last = begun;
      pause = PAUSE;
    }
    activity.pending.set(id, { caused: true, until: Math.min(now() + span, begun + TALKING) });
  };
  const heard = () => {
    if (!activity.pending.has(id)) return;
    if (activity.touched && !told) before = activity.changes;
    told = true;
    pause = Math.min(STARTING, Math.max(pause, 2 * (now() - last)));
    last = now();
    reacting();
    derive();
    clearTimeout(timer);
    waitFor(activity.touched ? patience : OPENING);
    timer = later(silent, pause);
  };
  for (const type of ["open", "message"]) socket.addEventListener(type, heard);
  socket.addEventListener("close", over);
  return (span) => {
    if (!activity.acting) return;
    clearTimeout(timer);
    waitFor(span);
  };
}
// What the handlers of a press say themselves: other things a page says by a clock, or late, of what was put in before.
const MOST_MESSAGES = 20;
const readable = new TextDecoder("utf-8", { ignoreBOM: true });
const saidText = (data) => (typeof data === "string" ? data : data instanceof Blob ? "" : readable.decode(data));
const saidByHand = () => activity.said;
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
    if (activity.pressing && activity.said.length < MOST_MESSAGES) activity.said.push(saidText(args[0]));
    says.get(self)?.(window.event?.type === "input" ? TYPING : ANSWERING);
    return Reflect.apply(target, self, args);
  },
});
