// What the page is doing: requests it started, changes to its tree, navigation. Nothing here alters the page's own behaviour.

const now = () => performance.now();
const later = setTimeout.bind(window);
const activity = {
  mark: 0, // when the last action was about to happen
  acting: false, // an action's consequences are still being followed
  pending: new Map(), // id -> {method, url, caused}
  done: [], // [method, url, status] of requests that the action caused
  seen: new Map(), // "GET url" -> times requested before, to know a poll
  changes: 0,
  navigating: false,
  routed: 0,
  wake: null,
};
let requestId = 0;
const ping = () => {
  if (activity.wake) {
    const wake = activity.wake;
    activity.wake = null;
    wake();
  }
};

function started(method, url) {
  let path = url;
  try {
    path = new URL(url, document.baseURI).href;
  } catch {
    // an address that the page itself could not use
  }
  const key = `${method} ${path.split("?")[0]}`;
  const times = activity.seen.get(key) || 0;
  activity.seen.set(key, times + 1);
  const poll = times >= 2 && method === "GET" && !activity.touched;
  const id = ++requestId;
  activity.pending.set(id, { method, url: path, caused: activity.acting && !poll, at: now() });
  return id;
}
function ended(id, status) {
  const request = activity.pending.get(id);
  if (!request) return;
  activity.pending.delete(id);
  if (request.caused) activity.done.push([request.method, request.url, status]);
  later(ping, 0);
}

const nativeFetch = window.fetch;
if (nativeFetch) {
  window.fetch = new Proxy(nativeFetch, {
    apply(target, self, args) {
      const [input, init] = args;
      const isRequest = typeof Request === "function" && input instanceof Request;
      const method = ((init && init.method) || (isRequest ? input.method : "GET")).toUpperCase();
      const id = started(method, isRequest ? input.url : String(input));
      const answer = Reflect.apply(target, self, args);
      answer.then(
        (response) => {
          // A stream that never ends (server-sent events over fetch) is not waited for.
          const type = response.headers.get("content-type") || "";
          ended(id, response.status);
          if (!type.startsWith("text/event-stream")) later(ping, 0);
        },
        () => ended(id, 0),
      );
      return answer;
    },
  });
}
const open = XMLHttpRequest.prototype.open;
const send = XMLHttpRequest.prototype.send;
const asked = new WeakMap();
XMLHttpRequest.prototype.open = new Proxy(open, {
  apply(target, self, args) {
    asked.set(self, [String(args[0]).toUpperCase(), String(args[1])]);
    return Reflect.apply(target, self, args);
  },
});
XMLHttpRequest.prototype.send = new Proxy(send, {
  apply(target, self, args) {
    const [method, url] = asked.get(self) || ["GET", ""];
    const id = started(method, url);
    self.addEventListener("loadend", () => ended(id, self.status), { once: true });
    return Reflect.apply(target, self, args);
  },
});

// The observer lives in the page's own task queue, so a change counts before the next look.
const observer = new MutationObserver(() => {
  activity.changes++;
});
const observe = () => document.documentElement && observer.observe(document, { childList: true, subtree: true, characterData: true });
observe();

if (window.navigation) {
  navigation.addEventListener("navigate", (event) => {
    if (event.destination.sameDocument) {
      activity.routed++;
      return;
    }
    if (event.downloadRequest !== null) return;
    activity.navigating = true;
    later(() => {
      if (event.defaultPrevented) {
        activity.navigating = false;
        ping();
      }
    }, 0);
  });
  for (const end of ["navigatesuccess", "navigateerror"]) {
    navigation.addEventListener(end, () => {
      activity.navigating = false;
      ping();
    });
  }
}

function beginAction() {
  activity.mark = now();
  activity.acting = true;
  activity.touched = true;
  activity.done = [];
  activity.changes = 0;
  activity.routed = 0;
  later(() => {
    activity.touched = false;
  }, 50);
}

const turn = () => new Promise((go) => later(go, 0));
const woken = (most) =>
  new Promise((go) => {
    activity.wake = go;
    later(go, most);
  });

// Wait until the consequences of the last action are over: no navigation under way, the document parsed, no request
// that the action caused in flight, and two turns of the event loop without a change to the tree.
async function settle(cap) {
  const end = now() + cap;
  let quiet = 0;
  let unsettled = false;
  while (quiet < 2) {
    if (now() > end) {
      unsettled = true;
      break;
    }
    if (activity.navigating || document.readyState === "loading" || [...activity.pending.values()].some((request) => request.caused)) {
      quiet = 0;
      await woken(Math.min(50, end - now()));
      continue;
    }
    const before = activity.changes + requestId;
    await turn();
    quiet = activity.changes + requestId === before ? quiet + 1 : 0;
  }
  activity.acting = false;
  return unsettled;
}
// A new document belongs to the action that opened it: what it loads while it starts is followed too.
activity.acting = true;
