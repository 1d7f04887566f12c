// Lets a trusted input event through only when it reaches the element that was proven, checked in the capture phase.
// There is no person at this browser: every trusted event that is not expected here has gone astray, and is stopped.

const guard = { armed: null, onto: null, away: false, passed: 0, acted: false, holding: false, pressed: "", keyed: false, hushed: false, heard: new Set(), held: null, touched: false, seen: null, early: [], fresh: new WeakSet(), under: new Set(), stopped: [], told: [] };
// armed: {el, still(event), sought}, where still() says in words what no longer fits, or "", and what does not is sought again.
// onto: the same of what it is dragged to, and whether the pointer has come there and found it so.
// away: what it is dragged to is in another document. Only a drag of the browser's own is let out: its end is checked there.
// acted: more than a press has come through: a release, a click, a key. holding: nothing more than a press is to.
// pressed: what identified the armed element when a pointer went down on it. hushed: it was released on something else.
// heard: what is around the armed element and was not hidden from assistive technology when a pointer went down on it.
// held: what the armed element was when a pointer went down on it.
// keyed: a key has reached the armed element. touched: input of ours has reached this document.
// seen: what the armed element was when it was looked at. early: the dialogs that were open before it had, and have been since.
// fresh: what the page has put in since input has reached the armed element. under: what was there when it was pressed.
// stopped grows until it is reported: an input that went astray is never forgotten by the next action.
// told is what was reported last, for an explanation of the same action.

function arm(el, still, holding = false) {
  endChoosing();
  guard.armed = { el, still };
  guard.holding = holding;
  guard.acted = false;
  guard.onto = null;
  guard.away = false;
  guard.pressed = "";
  guard.held = null;
  guard.keyed = guard.hushed = false;
  guard.heard = new Set();
  guard.fresh = new WeakSet();
  guard.seen = look(el);
  guard.passed = 0;
  guard.told = [];
  beginGiving();
  giveBack(controlOf(el));
  awaitWriting(el);
  watchSetting(el);
  watchFields();
  seeAtFirst(el);
  watchDismissal(el);
  guard.early = (guard.touched ? guard.early : all(document, DIALOGS)).filter(visible);
  beginAction();
  return guard.armed;
}
// Whether a dialog was open before anything of ours has reached this document, and has been since.
const openedItself = (part) => !guard.touched || guard.early.includes(part);
function armOnto(el, still) {
  guard.onto = { el, still, reached: false, why: "" };
}
function disarm() {
  const report = { passed: guard.passed, stopped: guard.stopped, reached: reached() };
  endPress();
  guard.armed = guard.onto = null;
  guard.away = false;
  guard.passed = 0;
  guard.told = guard.stopped;
  guard.stopped = [];
  return report;
}
const letOut = () => {
  guard.away = true;
};
// What went astray in this document while an action was done in another one.
const strays = () => disarm().stopped;
// Take back what an action that failed was to reach, and say what stood in its way.
function giveUp(act) {
  const el = guard.armed?.el;
  const why = el?.isConnected && !guard.stopped.length ? obstacle(el, act) : "";
  const { stopped, reached } = disarm();
  return { stopped, reached, why };
}
const brief = (el) => (el && el.nodeType === 1 ? cut(`${roleOf(el) || tagOf(el)} "${nameOf(el)}"`, 80) : "the page");

const REACTING = "a[href],button,input,select,textarea,summary,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=switch]";
// What lies over a box that nobody sees, in a part of the page that shows nothing else, is drawn for it.
const TICKED_BOXES = "input[type=checkbox],input[type=radio]";
// A box that takes no room is ticked by its label, in which a switch is drawn.
const isInReach = (el) => visible(el) || (el.matches(TICKED_BOXES) && [...el.labels].some(visible));
function isDrawnFor(el, hit) {
  const part = el.matches(TICKED_BOXES) && hit && hit.nodeType === 1 && !isOpenToTouch(el) && el.parentElement;
  if (!part || part === hit || !holds(part, hit) || fold(part.textContent)) return false;
  return all(part, FIELDS).length === 1 && all(part, REACTING).length === 1;
}
// A list that a script draws may hold the field in which one looks for its options: pressing that opens the list.
const isSearchedIn = (el, field) => (roleOf(el) === "combobox" || isDrawnField(el)) && takesText(field) && all(el, FIELDS).length === 1;
// Some applications draw a link as a button in it, which is all that the link shows and has no form to send.
function isAllOf(el, at) {
  if (!el.matches("a[href],[role=link]") || !at.matches("button,[role=button]") || formOf(at)) return false;
  const apart = all(el, REACTING).length > 1 || all(el, PICTURED).some((one) => !holds(at, one));
  return !apart && fold(textWithin(el)) === fold(textWithin(at));
}
function belongs(el, hit) {
  if (!hit || hit.nodeType !== 1) return false;
  // Whatever stands on the page is something else than the page.
  if (isBare(el)) return isBare(hit);
  if (el === hit || isDrawnFor(el, hit)) return true;
  if (tagOf(el) === "label" && el.control === hit) return true;
  for (let at = hit; at; at = parentOf(at)) {
    if (at === el || (tagOf(at) === "label" && at.control === el)) return true;
    // A button in a card, or a link in a label, reacts for itself.
    if (at.matches(REACTING) && !isSearchedIn(el, at) && !isAllOf(el, at)) return false;
  }
  return false;
}
// The click that a browser sends for Enter in a field, to its form's button.
const implied = (el, hit) => hit.nodeType === 1 && !!formOf(el) && formOf(hit) === formOf(el) && ["submit", "image"].includes(hit.type);

function stop(event, why) {
  judgePress();
  still.missed = true;
  event.preventDefault();
  event.stopImmediatePropagation();
  guard.stopped.push(`${event.type} on ${brief(event.composedPath()[0])}: ${why}`);
}
const FIRST = new Set(["pointerdown", "mousedown", "click", "keydown", "beforeinput"]);
const HELD = new Set(["Alt", "Control", "Meta", "Shift"]);
function check(event) {
  if (!event.isTrusted) return;
  if (!guarding) return passes();
  const armed = guard.armed;
  const hit = event.composedPath()[0];
  if (guard.onto && (guard.passed || !armed) && RELEASING.has(event.type)) return checkRelease(event, hit);
  if (!armed) return stop(event, "no action was under way in this document");
  if (guard.holding && guard.pressed && RELEASING.has(event.type)) return hush(event);
  const follows = event.type === "click" && event.detail === 0 && guard.passed > 0;
  // A key that is held for a click goes to whatever has the focus, and does nothing there.
  if (HELD.has(event.key) && !belongs(armed.el, hit)) return;
  if (!belongs(armed.el, hit) && !(follows && implied(armed.el, hit))) {
    if (guard.pressed && RELEASING.has(event.type) && (gaveWay(armed.el, hit) || isLaidOver(armed.el, hit, event))) return hush(event);
    return stop(event, `the proven element is ${brief(armed.el)}`);
  }
  if (FIRST.has(event.type) && !follows && (!guard.passed || event.type === "click")) {
    const judge = () => asPressed(() => armed.still(event));
    const why = !hasHidden(armed.el, event) && judge() && asSeen(judge);
    if (why) return stop(event, why);
  }
  if (event.type === "pointerdown" || event.type === "keydown") {
    giveBack(controlOf(hit));
    overAndDone(event, hit);
  }
  if (event.type === "pointerdown") {
    guard.pressed = likeness(armed.el);
    guard.heard = new Set([armed.el, ...ancestors(armed.el)].filter((at) => !isAriaHidden(at)));
    guard.under = stackAt(event.clientX, event.clientY);
    guard.held = itself(armed.el);
    beginPress(event);
  }
  if (event.type === "mousedown") press.event = event;
  if (!PRESSING.has(event.type)) guard.acted = true;
  if (event.type === "keydown") guard.keyed = true;
  passes();
}
// A menu that opens on the press hides the rest of the page from assistive technology: what was pressed loses its name by
// that, and is the same. So it is judged by what it would be called without.
function asPressed(judge) {
  unhidden = guard.heard;
  try {
    return judge();
  } finally {
    unhidden = new Set();
  }
}
// A list may close as the pointer is let go of an option, before the click: what is hidden by that has no name any more, and
// is what was pressed, if it says, declares and sends the same in the same place. What shows it may be drawn otherwise.
const DRAWING = /^(?:class|style|hidden|tabindex|aria-.*)$/;
const itself = (el) => ({
  says: [fold(el.textContent), ...[...el.attributes].filter(({ name }) => !DRAWING.test(name)).map(({ name, value }) => `${name}=${value}`), stringify(pressOf(el) ?? "")].join("\n"),
  before: el.previousElementSibling,
  in: [...ancestors(el)],
});
function hasHidden(el, event) {
  const was = event.type === "click" && guard.pressed && guard.held;
  if (!was || visible(el)) return false;
  const now = itself(el);
  return now.says === was.says && now.before === was.before && now.in.length === was.in.length && now.in.every((at, place) => at === was.in[place]);
}
// A style may show more of an element, or less, once the pointer is on it or it has the focus: a symbol whose label slides
// out, a bar that opens. It is called otherwise then, and is the same: nothing in it was changed, nor around it before the
// pointer came. What a script does around it because the pointer came is no change of it either.
// Not of what is called by something else on the page, or shows what stands elsewhere: that may be another thing by now.
const speaksForItself = (el) =>
  !el.matches("[aria-labelledby],[aria-owns]") && !el.ariaLabelledByElements?.length && !el.labels?.length &&
  !(shadows && (el.getRootNode() instanceof ShadowRoot || [el, ...el.querySelectorAll("*")].some((at) => at.shadowRoot)));
const writtenOn = (el) => [...el.attributes].map((one) => `${one.name}=${one.value}`).join(" ");
const aroundIt = (el) => [...ancestors(el)].map(writtenOn).join("\n");
const look = (el) => (speaksForItself(el) ? { el, name: wholeName(el), text: shownBy(el), described: el.matches("[aria-describedby]") ? null : describedAs(el), inside: el.outerHTML, around: aroundIt(el), came: null } : null);
const isAsSeen = ({ el, inside, around }) => el.outerHTML === inside && aroundIt(el) === around;
// A script that draws tooltips of its own takes the browser's away as the pointer comes: it moves the title to another
// attribute, and describes the element by what it draws. Nothing else of that may have changed.
const HINTS = / title="([^"]+)"/g;
const HINTING = / (title|aria-describedby|aria-label|data-[\w-]+)="([^"]*)"/g;
function hasOnlyLostHints({ el, inside }) {
  const hints = new Set([...inside.matchAll(HINTS)].map(([, title]) => title));
  const without = (html) => html.replace(HINTING, (all, name, value) => (name === "aria-describedby" || (name === "title" && !value) || hints.has(value) ? "" : all));
  return el.outerHTML === inside || (hints.size > 0 && without(el.outerHTML) === without(inside));
}
function checkComing(event) {
  const seen = guard.armed && guard.seen;
  if (event.isTrusted && seen && seen.came === null) seen.came = isAsSeen(seen);
}
for (const type of ["pointerover", "pointermove"]) listen(window, type, checkComing, { capture: true });
function asSeen(judge) {
  const seen = guard.seen;
  if (!seen || !(seen.came ?? isAsSeen(seen)) || !hasOnlyLostHints(seen)) return judge();
  seenAs = seen;
  try {
    return judge();
  } finally {
    seenAs = null;
  }
}
// A widget that reacts to the press itself takes the element away, or puts something over it, before the pointer is
// released: that was the whole of the action. What is there now hears nothing of it.
// One that is made anew in its place was to be clicked, and was not; but for an option that has set a field by then.
const hasChosen = (el) => press.chose && !el.matches(REACTING);
const likeness = (el) => [tagOf(el), roleOf(el), nameOf(el) || textOf(el)].join("\n");
const gaveWay = (el, hit) => (hit.nodeType !== 1 || hasChosen(el) || likeness(actionableOf(hit)) !== guard.pressed) && hasGone(el, hit);
const hasGone = (el, hit) =>
  !el.isConnected || !visible(el) || !!closest(el, "[inert]") || getComputedStyle(el).pointerEvents === "none" ||
  (hit.nodeType === 1 && ([hit, ...ancestors(hit)].some((at) => guard.fresh.has(at)) || (guard.hushed && holds(hit, el))));
// Everything at a point of the window, in shadow roots, too.
function stackAt(x, y, root = document, found = new Set()) {
  for (const el of root.elementsFromPoint(x, y)) {
    if (found.has(el)) continue;
    found.add(el);
    if (el.shadowRoot) stackAt(x, y, el.shadowRoot, found);
  }
  return found;
}
// What has come over the element, which stayed where it is: a calendar over its field.
const isLaidOver = (el, hit, { clientX, clientY }) => {
  const box = el.getBoundingClientRect();
  return !guard.under.has(hit) && clientX >= box.left && clientX <= box.right && clientY >= box.top && clientY <= box.bottom;
};
function hush(event) {
  event.preventDefault();
  event.stopImmediatePropagation();
  guard.hushed = true;
}
// What is dragged is let go over the proven place: it may lie over the place itself by then, or have made room there.
const RELEASING = new Set(["pointerup", "mouseup", "drop", "click"]);
const isOver = (event) => document.elementsFromPoint(event.clientX, event.clientY).some((at) => belongs(guard.onto.el, at) || isCaseOf(at, guard.onto.el));
function checkRelease(event, hit) {
  const { el, reached, why } = guard.onto;
  // The click that a browser sends after that goes to what is around both.
  if (reached && (event.type === "click" || isOver(event) || (guard.armed && belongs(guard.armed.el, hit)))) {
    guard.acted = true;
    return passes();
  }
  stop(event, why || `what is dragged is not over ${brief(el)}`);
}
function checkMove(event) {
  const onto = guard.onto;
  if (!event.isTrusted || !onto || (guard.armed && !guard.passed) || onto.reached || !isOver(event)) return;
  onto.why = onto.still();
  onto.reached = !onto.why;
}
for (const type of ["pointermove", "dragenter", "dragover"]) listen(window, type, checkMove, { capture: true });
// Of what looks alike and stands in each other, a card and the text in it, all of it is dragged, and dragged to.
const isCaseOf = (at, el) => at.nodeType === 1 && holds(at, el) && likeness(at) === likeness(el);
function checkDrag(event) {
  if (!guarding || !event.isTrusted) return;
  if (!guard.onto && !guard.away) return stop(event, "nothing was to be dragged");
  const hit = event.composedPath()[0];
  if (guard.armed && isCaseOf(hit, guard.armed.el)) guard.armed.el = hit;
  check(event);
}
listen(window, "dragstart", checkDrag, { capture: true });
const BY_HAND = new Set(["click", "dblclick", "auxclick", "keydown", "drop"]);
function passes() {
  guard.passed++;
  guard.touched = true;
  handling();
  if (BY_HAND.has(window.event?.type)) pressing();
}
for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "keydown", "keypress", "beforeinput", "drop"]) {
  listen(window, type, check, { capture: true });
}
// A date, a choice and a file are put in place without any input event: what is reported of them is checked instead.
const IN_PARTS = "input[type=date],input[type=time],input[type=datetime-local],input[type=month],input[type=week]";
function checkChange(event) {
  const armed = guard.armed;
  if (!guarding || !armed || event.composedPath()[0] !== armed.el) return;
  const why = guard.passed ? "" : armed.still();
  if (why) return stop(event, why);
  handling();
  const isPut = event.isTrusted ? event.inputType === "insertText" : event.type === "input" && armed.el.matches(IN_PARTS);
  if (isPut && !guard.keyed) later(() => letGo(armed.el), 0);
}
// What waits until a key is let go belongs to the action, too; wherever the focus is by then.
listen(window, "keyup", (event) => event.isTrusted && guard.armed && handling(), { capture: true });
// A text that is put into a field as a whole comes without keys, and many pages listen to nothing else: they hear of one
// that is let go, as they do where the browser fills in a form.
function letGo(el) {
  handling();
  el.dispatchEvent(new KeyboardEvent("keyup", { key: "Unidentified", bubbles: true, composed: true, cancelable: true }));
}
for (const type of ["input", "change"]) listen(window, type, checkChange, { capture: true });
