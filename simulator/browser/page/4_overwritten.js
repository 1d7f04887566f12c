// What a page writes over what was put into its fields. A page that loads slowly writes what it has loaded into a form that is
// already filled in: a person sees that, and puts it in once more. Not responsible for: what a page makes of it as it hears of
// it (another writing of a number, an empty field after Enter), which stays.

const PUT_BACK = 3; // times that one field is given back in one action; a page that always writes over it is reported
const givenTo = new Map(); // of each field that was filled in since something was pressed: {holds, lost, over, times, path, at, since, first, stale, firm}
// holds: {text}, {chosen} or {ticked}. lost: the page has written something else. over: what that was, once it was put right.
// at: the address of the page. since: how many requests the page had made by then.
// first: the same, when something was put in there first: what each key asks for is of this field.
// stale: whether the page has written so as it heard what it had asked for before the field was filled in.
// firm: whether the page is known to leave it as it was put in until something is pressed, so that nothing is derived from it.
let deriving = 0; // windows in which the page's handlers of what the user does run, and what they have put off for a moment
let goesBack = Infinity; // the place among the page's requests of the oldest thing that the user did, of which they come
const answered = new Set(); // requests that were answered, as long as the page may deal with their answers

// Another writing of the same: signs, spaces and order, as of a date; a number with more decimals.
const lettersOf = (text) => [...fold(text).toLowerCase().replace(/[^\p{L}\p{N}]/gu, "")].sort().join("");
const isWritingOf = (one, other) => lettersOf(one) === lettersOf(other) ? !!lettersOf(one) || fold(one) === fold(other) : !!fold(one) && !!fold(other) && Number(one) === Number(other);
const isKept = (one, other) => stringify(one) === stringify(other) || (!!one && !!other && "text" in one && "text" in other && isWritingOf(one.text, other.text));
// The time distinguishes what the page does by itself from what it does with what the user does.
// What was asked for before a field was filled in is no answer to that: on a busy machine it comes at the very moment at
// which the user goes on.
const eldest = (none = requestId + 1) => (deriving ? goesBack : none);
const isLoaded = (given, since = given.since) => [...answered].some((one) => !one.derived || one.from <= since);
const fade = (one) => later(() => later(() => (deriving ? fade(one) : answered.delete(one)), 0), 0);
function arrive(request) {
  if (request.from === undefined) return; // not asked for by the page's scripts
  answered.add(request);
  fade(request);
  if (request.derived) derive(request.from);
}
function derive(from = requestId + 1) {
  goesBack = deriving ? Math.min(goesBack, from) : from;
  if (!deriving) for (const [el, given] of filledIn()) given.lost ||= !isKept(given.holds, held(el));
  deriving++;
  later(() => {
    deriving--;
    for (const [el, given] of filledIn()) {
      const holds = held(el);
      given.stale ||= isLoaded(given, given.first) && !isKept(given.holds, holds);
      given.lost ||= stringify(holds) === given.over || ((isLoaded(given) || (given.firm && holds?.text !== "")) && !isKept(given.holds, holds));
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
  if (holds && !("files" in holds)) givenTo.set(el, { holds, lost: false, times: 0, path: el === writing.el ? writing.path : cssPath(el), at: location.href, since: requestId, first: givenTo.get(el)?.first ?? requestId });
}
// What is put in without keys, as a date or an option is, comes without an event of the browser's own.
function keepGiven(kind, given, secret, firm = false) {
  const el = writing.el && controlOf(writing.el);
  if (!el?.isConnected || secret) return;
  const holds = held(el);
  const fits = kind === "select" ? given.split("\n").every((each) => holds?.chosen?.some((said) => said.includes(each))) : typeof given === "boolean" ? holds?.ticked === given : holds?.text === given;
  // What was given to it before is over, as where another option is chosen.
  if (fits && !(givenTo.has(el) && isKept(givenTo.get(el).holds, holds))) giveField(el);
  const kept = givenTo.get(el);
  if (!firm || !kept || kept.firm) return;
  kept.firm = true;
  if (writing.put === undefined || !kept.holds.text || isKept({ text: writing.put }, kept.holds)) return;
  Object.assign(kept, { holds: { text: writing.put }, lost: true });
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
  // A page that takes a text empties its field, once it has asked or shows it: what it asked for before has not taken it.
  const asked = activity.done.length > 0 && requestId > given.first && !given.stale;
  const emptied = holds && "text" in holds && !holds.text && (asked || shownAnew(given.holds.text, false));
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
    given.lost = given.stale = false;
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
  if (presses && !choosing.el) givenTo.clear();
}
// What is removed loses the focus, too: it goes nowhere then.
// A handler of `blur` runs before `focusout` comes: what it empties is no text that the page has written over by itself.
listen(window, "blur", (event) => event.isTrusted && event.relatedTarget && derive(), { capture: true });
listen(window, "focusout", (event) => event.isTrusted && event.relatedTarget && derive(), { capture: true });
listen(window, "focusin", (event) => event.isTrusted && derive(), { capture: true });
