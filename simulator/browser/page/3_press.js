// What came of a press that was not released on its element: a note that hides when the focus moves shifts the button away
// between the two. Where it can be shown that nothing came of it, the click can be tried once more.

const PRESSING = new Set(["pointerdown", "mousedown"]);
const press = { watcher: null, event: null, idle: true, judged: true, before: "", chose: false };
// What a press may start that changes no tree: requests, timers, windows, another address, a cookie.
const startedBy = () => [requestId, activity.timers.size, activity.opened.length, activity.routed, location.href, document.cookie].join("\n");

function beginPress(event) {
  press.watcher?.disconnect();
  Object.assign(press, { event, idle: !shadows, judged: false, before: startedBy(), chose: false });
  press.watcher = new MutationObserver(() => {
    if (!press.judged) press.idle = false;
  });
  press.watcher.observe(document, { childList: true, subtree: true, characterData: true, attributes: true });
}
// The page has had its say on the press: by now the browser moves the focus, or the pointer is released. What the page does
// about these is no answer to the press.
function judgePress() {
  if (press.judged) return;
  if (press.watcher.takeRecords().length || startedBy() !== press.before) press.idle = false;
  press.judged = true;
  press.watcher.disconnect();
}
function endPress() {
  press.watcher?.disconnect();
  press.judged = true;
}
// A widget that chooses as it is pressed says so to its field, in an event of its own: what it draws then in the place of the
// option, which may be called alike, is no option that is still to be clicked.
for (const type of ["input", "change"]) {
  listen(
    window,
    type,
    (event) => {
      const told = event.composedPath()[0];
      if (!event.isTrusted && guard.pressed && told.nodeType === 1 && told.matches("input,select,textarea")) press.chose = true;
    },
    { capture: true },
  );
}
for (const type of ["blur", "focusout", "focus", "focusin"]) {
  listen(
    window,
    type,
    (event) => {
      if (!event.isTrusted || press.judged) return;
      // The page itself moves the focus as long as its listeners run: that is its answer.
      if (press.event.eventPhase !== Event.NONE) press.idle = false;
      judgePress();
    },
    { capture: true },
  );
}
// How far input has come in this document: "nothing", a press of which "nothing" or something came, or more than a press.
const reached = () => (guard.acted ? "acted" : !guard.passed ? "nothing" : press.idle && press.judged ? "idle" : "pressed");
