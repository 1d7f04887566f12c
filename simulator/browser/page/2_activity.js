// What the page is doing: requests it started, changes to its tree, navigation. Nothing here alters the page's own behaviour.

const now = () => performance.now();
const later = setTimeout.bind(window);
const SHORT = 1000; // ms: the longest timer of an input handler that belongs to the action, a debounced search for one
const OPENING = 2000; // ms: how long a new document is given for requests of its own accord; one of them may be a long poll
const SUBMITTING = 500; // ms
const READING = new Set(["GET", "HEAD", "OPTIONS"]);
const activity = {
  acting: false, // an action's consequences are still being followed
  touched: false, // an action was aimed at this very document
  handling: false, // the page's handlers of the action's own event run now
  reacting: false, // so do those, or the handlers of what they started
  pressing: false, // so do those of a click, a key or a drop
  said: [], // what those have said on sockets, as text
  pending: new Map(), // id -> {method, url, caused, until}
  timers: new Set(), // short timers that the page's handlers of the action's own event started
  done: [], // [method, url, status] of requests that the action caused
  refused: [], // {name, words, status}: what answers to writing requests among them said was wrong
  arrived: [], // addresses that answers to writing requests among them were redirected to
  alone: new Set(), // "GET url" of what this document requested while nobody acted, to know a poll
  seen: new Set(), // "GET url" of every request of this document, and every script that it has fetched
  times: new Map(), // "GET url" -> times it was requested while this action is followed
  changes: 0,
  navigating: "", // the address that the document is being left for
  submitting: 0, // until when a form that was submitted may begin to navigate
  routed: 0,
  opened: [], // {address, name} of windows that the action opened; no address for one that stays empty
  wake: null,
  over: 0, // the last request that was made when the action's consequences were over
  begun: 0, // the same when it began
  writes: 0, // writing requests that were made, and how many of them when the consequences were over
  written: 0,
  late: [], // as done, of those that were made and answered since then
};
let requestId = 0;
listen(document, "readystatechange", () => ping());
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
  const times = (activity.times.get(key) || 0) + 1;
  if (activity.acting) activity.times.set(key, times);
  else activity.alone.add(key);
  activity.seen.add(key);
  // What an application loads for another of its views it may have loaded before: that is no poll. One comes by itself.
  const again = activity.reacting ? times > 3 : times > 1 || (activity.alone.has(key) && !activity.routed);
  const poll = again && method === "GET" && !activity.handling;
  const id = ++requestId;
  if (!READING.has(method)) activity.writes++;
  const until = activity.touched ? Infinity : now() + OPENING;
  activity.pending.set(id, { method, url: path, caused: activity.acting && !poll, derived: deriving > 0, from: eldest(id), until });
  return id;
}
function ended(id, status, address) {
  const request = activity.pending.get(id);
  if (!request) return;
  activity.pending.delete(id);
  arrive(request);
  if (request.caused) {
    reacting();
    if (request.method) activity.done.push([request.method, request.url, status]);
    if (address && request.method !== "GET") activity.arrived.push(address);
  } else if (id > activity.begun && request.method && !READING.has(request.method)) activity.late.push([request.method, request.url, status]);
  later(ping, 0);
}
// What an answer in JSON says was wrong. One of success that states no length may be a stream: it is not waited for, the
// page's own reading is.
const ANSWER = 500_000; // bytes of an answer that is looked into
const SAYING = 1000; // ms that such an answer may take to be read
const isJson = (type) => /^application\/(?:[\w.-]+\+)?json\b/i.test(type || "");
const isAnswered = (id) => activity.pending.get(id)?.caused && !READING.has(activity.pending.get(id).method);
const noteRefused = (status, answer) => activity.refused.push(...refusedBy(status, answer));
function heard(id, response) {
  const length = response.headers.get("content-length");
  if (!isAnswered(id) || !isJson(response.headers.get("content-type")) || Number(length) > ANSWER || response.bodyUsed) return;
  const reading = ++requestId;
  if (response.status >= 400 || length) activity.pending.set(reading, { caused: true, until: now() + SAYING });
  const over = () => ended(reading);
  readAnswer.call(response.clone()).then((answer) => noteRefused(response.status, answer)).then(over, over);
}
function heardBy(id, request) {
  if (!isAnswered(id) || !isJson(request.getResponseHeader("content-type"))) return;
  const text = /^(?:text)?$/.test(request.responseType) ? request.responseText : "";
  if (text.length > ANSWER) return;
  try {
    noteRefused(request.status, request.responseType === "json" ? request.response : fromJson(text || "null"));
  } catch {
    // an answer that calls itself JSON, and is none
  }
}
// The page itself wants no answer any more, as of a search that more letters follow: no failure of the site.
function dropped(id) {
  activity.pending.delete(id);
  later(ping, 0);
}
const isDropped = (signal) => !!signal?.aborted && signal.reason?.name !== "TimeoutError";

const nativeFetch = window.fetch;
const askedFor = new WeakMap(); // of an answer, what its request goes back to
const readAnswer = window.Response && Response.prototype.json;
if (nativeFetch) {
  window.fetch = new Proxy(nativeFetch, {
    apply(target, self, args) {
      const [input, init] = args;
      const isRequest = typeof Request === "function" && input instanceof Request;
      const method = ((init && init.method) || (isRequest ? input.method : "GET")).toUpperCase();
      const id = started(method, isRequest ? input.url : String(input));
      const answer = Reflect.apply(target, self, args);
      const { from } = activity.pending.get(id);
      answer.then((response) => {
        askedFor.set(response, from);
        heard(id, response);
        ended(id, response.status, response.redirected ? response.url : "");
      }, () => (isDropped((init && init.signal) || (isRequest && input.signal)) ? dropped(id) : ended(id, 0)));
      return answer;
    },
  });
  // An answer that the page reads as a whole is over when it has been read. A stream is not waited for.
  for (const read of ["arrayBuffer", "blob", "bytes", "formData", "json", "text"].filter((name) => Response.prototype[name])) {
    Response.prototype[read] = new Proxy(Response.prototype[read], {
      apply(target, self, args) {
        const id = ++requestId;
        activity.pending.set(id, { caused: activity.acting, derived: deriving > 0, from: askedFor.get(self) ?? eldest(id), until: activity.touched ? Infinity : now() + OPENING });
        const content = Reflect.apply(target, self, args);
        content.then(() => ended(id), () => ended(id));
        return content;
      },
    });
  }
}
// Where the answer to a request came from in the end, if that is elsewhere.
const redirected = (request, url) => (request.responseURL && request.responseURL !== new URL(url, document.baseURI).href ? request.responseURL : "");
const asked = new WeakMap();
const sending = new WeakMap();
XMLHttpRequest.prototype.open = new Proxy(XMLHttpRequest.prototype.open, {
  apply(target, self, args) {
    asked.set(self, [String(args[0]).toUpperCase(), String(args[1])]);
    self.addEventListener("readystatechange", () => {
      const request = self.readyState === 4 && activity.pending.get(sending.get(self));
      if (request) arrive(request);
      if (request?.caused) reacting();
    });
    return Reflect.apply(target, self, args);
  },
});
XMLHttpRequest.prototype.send = new Proxy(XMLHttpRequest.prototype.send, {
  apply(target, self, args) {
    const [method, url] = asked.get(self) || ["GET", ""];
    const id = started(method, url);
    sending.set(self, id);
    self.addEventListener("abort", () => dropped(id), { once: true });
    self.addEventListener("loadend", () => {
      heardBy(id, self);
      ended(id, self.status, redirected(self, url));
    }, { once: true });
    try {
      return Reflect.apply(target, self, args);
    } catch (error) {
      ended(id, 0);
      throw error;
    }
  },
});

// Short timers that a handler of the action's own event starts: what they do belongs to the action. Timers of timers do not.
const during = (flag) => () => {
  activity[flag] = true;
  later(() => {
    activity[flag] = false;
  }, 0);
};
const reacting = during("reacting");
const handled = during("handling");
const pressing = during("pressing");
const handling = () => {
  handled();
  reacting();
  derive();
};
window.setTimeout = new Proxy(window.setTimeout, {
  apply(target, self, args) {
    const [work, delay, ...rest] = args;
    if (!activity.handling || typeof work !== "function" || Number(delay) > SHORT) return Reflect.apply(target, self, args);
    const from = eldest();
    const timer = Reflect.apply(target, self, [
      function (...given) {
        if (activity.timers.delete(timer)) {
          reacting();
          derive(from);
        }
        later(ping, 0);
        return Reflect.apply(work, this, given);
      }, delay, ...rest,
    ]);
    activity.timers.add(timer);
    return timer;
  },
});
window.clearTimeout = new Proxy(window.clearTimeout, {
  apply(target, self, args) {
    activity.timers.delete(args[0]);
    return Reflect.apply(target, self, args);
  },
});

// The observer lives in the page's own task queue, so a change counts before the next look.
const observer = new MutationObserver((records) => {
  activity.changes++;
  stirred();
  for (const { addedNodes } of records) {
    for (const node of addedNodes) {
      if (guard.passed) guard.fresh.add(node);
      if (node.localName === "script" || node.localName === "link") fetching(node);
    }
  }
});
observe(observer, { childList: true, subtree: true, characterData: true });

const leavingFor = (address) => {
  activity.submitting = 0;
  activity.navigating = address;
  ping();
};
if (window.navigation) {
  navigation.addEventListener("navigate", (event) => {
    if (event.destination.sameDocument) {
      activity.routed++;
      activity.submitting = 0;
      return;
    }
    if (event.downloadRequest !== null) return;
    leavingFor(event.destination.url);
    later(() => event.defaultPrevented && leavingFor(""), 0);
  });
  for (const end of ["navigatesuccess", "navigateerror"]) navigation.addEventListener(end, () => leavingFor(""));
}
// The browser gave up a navigation without a word to the document: a download, or an answer without content.
function stays(address) {
  if (activity.navigating === address) leavingFor("");
}
// A page that only says "you are being taken elsewhere" is on its way there.
function refreshing() {
  const meta = document.querySelector("meta[http-equiv=refresh i]");
  const [, seconds, address] = /^\s*(\d+)[^;,]*[;,]\s*(?:url\s*=)?\s*["']?([^"']+)/i.exec(meta?.content || "") || [];
  if (!address || seconds * 1000 > OPENING || new URL(address, document.baseURI).href === location.href) return false;
  return now() < seconds * 1000 + OPENING;
}

const elsewhere = (target) =>
  !!target &&
  target !== window.name &&
  !["_self", "_top", "_parent"].includes(target.toLowerCase()) &&
  !document.querySelector(`iframe[name="${CSS.escape(target)}"]`);
function opens(address, target) {
  let place = "";
  try {
    place = address && new URL(address, document.baseURI).href;
  } catch {
    return; // an address that the browser cannot use either
  }
  if (/^(?:mailto|sms|tel):/.test(place)) return;
  const empty = /^(?:about|javascript):/.test(place);
  activity.opened.push({ address: empty ? "" : place, name: target.toLowerCase() === "_blank" ? "" : target });
}
const followed = (event) => {
  const link = event.composedPath().find((at) => at.localName === "a" || at.localName === "area");
  const beside = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey;
  if (!link || !link.hasAttribute("href") || link.hasAttribute("download") || event.defaultPrevented) return;
  const target = beside ? "_blank" : attr(link, "target");
  if (elsewhere(target)) opens(attr(link, "href") || location.href, target);
};
listen(window, "click", followed);
listen(window, "auxclick", (event) => event.button === 1 && followed(event));
listen(window, "submit", (event) => {
  const said = (name) => (event.submitter && attr(event.submitter, `form${name}`)) || attr(event.target, name);
  if (event.defaultPrevented || said("method").toLowerCase() === "dialog") return;
  if (elsewhere(said("target"))) opens(said("action") || location.href, said("target"));
  // The browser navigates in a task to come; a form that it does not send after all leaves no trace.
  else if (!activity.navigating && /^(_self|_top|_parent)?$/i.test(said("target"))) activity.submitting = now() + SUBMITTING;
});
window.open = new Proxy(window.open, {
  apply(target, self, args) {
    const view = Reflect.apply(target, self, args);
    if (elsewhere(String(args[1] || "_blank"))) opens(String(args[0] ?? ""), String(args[1] || "_blank"));
    return view;
  },
});

function beginAction() {
  meetControls();
  activity.acting = true;
  activity.touched = true;
  activity.done = [];
  activity.late = [];
  activity.refused = [];
  activity.said = [];
  activity.begun = requestId;
  activity.arrived = [];
  activity.timers.clear();
  activity.times.clear();
  activity.changes = 0;
  activity.routed = 0;
  activity.opened = [];
}

// An action is done in a frame of this document: what this one does because of it is followed, too.
const besideAction = beginAction;

const turn = () => new Promise((go) => later(go, 0));
const woken = (most) =>
  new Promise((go) => {
    activity.wake = go;
    later(go, most);
  });
const busy = () => {
  if (document.readyState === "loading" || activity.timers.size || activity.submitting > now() || refreshing()) return true;
  const at = now();
  return [...activity.pending.values()].some((request) => request.caused && request.until > at);
};

// Wait until the consequences of the last action are over: no navigation under way, the document parsed, no request
// or short timer of the action outstanding, and two turns of the event loop without a change to the tree. Only a
// navigation is waited for without a cap: it has one of its own. A document whose head is held up by what that asks for
// has no body yet, and nobody sees anything of it: it is still on its way.
async function settle(cap) {
  let end = now() + cap;
  let quiet = 0;
  let unsettled = false;
  while (quiet < 2) {
    const coming = document.readyState === "loading" && !document.body;
    if (activity.navigating || coming) {
      quiet = 0;
      await woken(50);
      if (coming) end = now() + cap;
      continue;
    }
    if (now() > end) {
      unsettled = true;
      break;
    }
    if (busy()) {
      quiet = 0;
      await woken(Math.min(50, end - now()));
      continue;
    }
    const before = activity.changes + requestId;
    await turn();
    quiet = activity.changes + requestId === before ? quiet + 1 : 0;
  }
  activity.acting = false;
  activity.over = requestId;
  activity.written = activity.writes;
  return unsettled;
}
// Wait until nothing is under way here, whoever acted where, and leave what belongs to which action as it is.
async function atRest(cap) {
  const end = now() + cap;
  for (let quiet = 0; quiet < 2 && now() < end; ) {
    const before = activity.changes + requestId;
    if (activity.navigating || busy()) await woken(Math.min(50, end - now()));
    else await turn();
    quiet = activity.navigating || busy() || activity.changes + requestId !== before ? 0 : quiet + 1;
  }
}
// The consequences are not over after all: the browser reports a script that was still on its way, or the recording of
// a request that the page puts off.
function goOn() {
  activity.acting = true;
  activity.done.push(...activity.late.splice(0));
  for (const [id, request] of activity.pending) request.caused ||= id > activity.over;
}
// Wait until the page has made a writing request since then; one that saves at intervals puts it off.
async function written(most) {
  const end = now() + most;
  while (activity.writes === activity.written && now() < end) await woken(Math.min(50, end - now()));
}
// A new document belongs to the action that opened it: what it loads while it starts is followed too.
activity.acting = true;
