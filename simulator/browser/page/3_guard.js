// Lets a trusted input event through only when it reaches the element that was proven, checked in the capture phase.
// There is no person at this browser: every trusted event that is not expected here has gone astray, and is stopped.

const guard = { armed: null, passed: 0, stopped: [] };
// armed: {el, still()}, where still() says in words what no longer fits, or "".
// stopped grows until it is reported: an input that went astray is never forgotten by the next action.

function arm(el, still) {
  guard.armed = { el, still };
  guard.passed = 0;
  beginAction();
}
function disarm() {
  const report = { passed: guard.passed, stopped: guard.stopped };
  guard.armed = null;
  guard.passed = 0;
  guard.stopped = [];
  return report;
}
const brief = (el) => (el && el.nodeType === 1 ? cut(`${roleOf(el) || tagOf(el)} "${nameOf(el)}"`, 80) : "the page");

function belongs(el, hit) {
  if (!hit || hit.nodeType !== 1) return false;
  if (el === hit || holds(el, hit)) return true;
  const label = [hit, ...ancestors(hit)].find((at) => tagOf(at) === "label");
  if (label && label.control === el) return true;
  if (tagOf(el) === "label" && el.control === hit) return true;
  return tagOf(el) === "select" && holds(hit, el) === false && hit.closest && hit.closest("select") === el;
}
function stop(event, why) {
  event.preventDefault();
  event.stopImmediatePropagation();
  guard.stopped.push(`${event.type} on ${brief(event.composedPath()[0])}: ${why}`);
}
function check(event) {
  if (!event.isTrusted || !guarding) return;
  const armed = guard.armed;
  const hit = event.composedPath()[0];
  if (!armed) return stop(event, "no action was under way in this document");
  // The click that a browser itself sends for Enter in a field, or to a label's control, follows an event that passed.
  if (event.type === "click" && event.detail === 0 && guard.passed > 0) return;
  const keyed = event.type.startsWith("key") || event.type === "beforeinput";
  if (keyed ? !belongs(armed.el, hit) && hit !== armed.el : !belongs(armed.el, hit)) {
    return stop(event, `the proven element is ${brief(armed.el)}`);
  }
  if (["pointerdown", "mousedown", "click", "keydown", "beforeinput"].includes(event.type)) {
    const why = guard.passed > 0 && event.type !== "click" ? "" : armed.still();
    if (why) return stop(event, why);
  }
  guard.passed++;
}
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "keydown", "keypress", "beforeinput"]) {
  window.addEventListener(type, check, { capture: true });
}
