// What a page writes over what was put into its fields. A page that loads slowly writes what it has loaded into a form that is
// already filled in: a person sees that, and puts it in once more. Not responsible for: what a page makes of it as it hears of
// it (another writing of a number, an empty field after Enter), which stays.

const PUT_BACK = 3; // times that one field is given back in one action; a page that always writes over it is told
const givenTo = new Map(); // of each field that was filled in since something was pressed: {holds, lost, over, times, path, at}
// holds: {text}, {chosen} or {ticked}. lost: the page has written something else. over: what that was, once it was put right.
// at: the address of the page.
let deriving = 0; // windows in which the page's handlers of what the user does run, and what they have put off for a moment

// Another writing of the same: signs, spaces and order, as of a date; a number with more decimals.
const lettersOf = (text) => [...fold(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")].sort().join("");
const isWritingOf = (one, other) => lettersOf(one) === lettersOf(other) ? !!lettersOf(one) || fold(one) === fold(other) : !!fold(one) && !!fold(other) && Number(one) === Number(other);
const isKept = (one, other) => stringify(one) === stringify(other) || (!!one && !!other && "text" in one && "text" in other && isWritingOf(one.text, other.text));
// What the page does by itself is told from what it does with what the user does: by when it does it.
function derive() {
  if (!deriving) for (const [el, given] of filledIn()) given.lost ||= !isKept(given.holds, held(el));
  deriving++;
  later(() => {
    deriving--;
    for (const [el, given] of filledIn()) {
      const holds = held(el);
      given.lost ||= stringify(holds) === given.over;
      if (!given.lost) given.holds = holds;
    }
  }, 0);
}
// The fields that are still there; or, where the page has drawn one anew, what stands in its place.
function filledIn() {
  for (const [el, given] of [...givenTo]) {
    if (el.isConnected && given.at === location.href) continue;
    givenTo.delete(el);
    const at = given.at === location.href ? inPlaceOf(el, given.path) : el;
    if (at !== el) givenTo.set(at, given);
  }
  return [...givenTo];
}
function giveField(el) {
  const holds = held(el);
  if (holds && !("files" in holds)) givenTo.set(el, { holds, lost: false, times: 0, path: el === writing.el ? writing.path : cssPath(el), at: location.href });
}
// What is put in without keys, as a date or an option is, comes without an event of the browser's own.
function keepGiven(kind, given, secret) {
  const el = writing.el && controlOf(writing.el);
  if (!el?.isConnected || givenTo.has(el) || secret) return;
  const holds = held(el);
  const fits = kind === "select" ? holds?.chosen?.some((said) => said.includes(given)) : typeof given === "boolean" ? holds?.ticked === given : holds?.text === given;
  if (fits) giveField(el);
}
const NATIVE = { input: HTMLInputElement, textarea: HTMLTextAreaElement };
const setText = (el, text) => Object.getOwnPropertyDescriptor(NATIVE[tagOf(el)].prototype, "value").set.call(el, text);
function putBack(el, { text, chosen, ticked }) {
  if (ticked !== undefined) return el.click();
  if (chosen) for (const one of el.options) one.selected = chosen.some(([value, label]) => one.value === value && fold(one.label) === label);
  else setText(el, text);
  el.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertText", data: text ?? null }));
  el.dispatchEvent(new Event("change", { bubbles: true }));
}
const isOwnField = (el) => el.matches("select,textarea,input") && !el.matches(":disabled,[readonly]");
// Whether the page has written over what was put into a field, and has not taken it by that.
function isOverwritten(el, given) {
  const holds = held(el);
  const emptied = holds && "text" in holds && !holds.text && (activity.done.length > 0 || shownAnew(given.holds.text, false));
  return !emptied && !isKept(given.holds, holds) && (given.lost || !deriving || stringify(holds) === given.over);
}
// Give back to each field what was put in; but for one that is about to be filled in.
function giveBack(but = null) {
  let count = 0;
  for (const [el, given] of filledIn()) {
    if (el === but || !isOverwritten(el, given) || !isOwnField(el) || given.times >= PUT_BACK) continue;
    given.times++;
    given.over = stringify(held(el));
    handling();
    putBack(el, given.holds);
    given.lost = false;
    count++;
  }
  return count;
}
const beginGiving = () => givenTo.forEach((given) => {
  given.times = 0;
});
// What was put in is the user's until something is pressed: what the page does with its fields then was asked for.
const FILLED_IN = "select,option,textarea,input:not([type=submit],[type=button],[type=image],[type=reset])";
function overAndDone({ type, key }, el) {
  const presses = key === "Enter" || ((type === "pointerdown" || key === " ") && !controlOf(el).matches(FILLED_IN) && !el.isContentEditable);
  if (presses) givenTo.clear();
}
// What is removed loses the focus, too: it goes nowhere then.
listen(window, "focusout", (event) => event.isTrusted && event.relatedTarget && derive(), { capture: true });
listen(window, "focusin", (event) => event.isTrusted && derive(), { capture: true });
