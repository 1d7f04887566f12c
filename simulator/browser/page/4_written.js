// What an action puts into a field, and what the field holds afterwards. The values of secret fields are compared here, and
// leave the page no more than their lengths do.

const writing = { el: null, path: "", option: null, before: null, barred: false, whole: false, put: undefined, keys: [], added: [] };
// option: of which list it is an option, where a script draws one. before: what the element held when it was proven; null for what holds nothing. barred: it was disabled then.
// whole: what is put in takes the place of all that it holds.
// put: what the browser had put into it before a handler of the page heard of that; undefined: nothing was typed.
// keys: the last that were pressed in it. added: the newest nodes that the page has put in since then.
const REMEMBERED = 200;
const TYPED = /^(?:text|search|tel|url|email|password|number|date|datetime-local|month|week|time|color|range)$/;
const TAKES_NONE = "input,button,a[href],summary,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=checkbox],[role=radio],[role=switch]";

function awaitWriting(el) {
  const field = el.matches("input,textarea,select") || el.isContentEditable;
  writing.option = optionPressed(el) || barePressed(el);
  Object.assign(writing, { el, path: field ? cssPath(el) : "", before: held(el), barred: el.matches(":disabled"), whole: false, put: undefined, keys: [], added: [] });
}
// What a label is for; what is pressed in it presses that, too.
const controlOf = (el) => (el.matches("label,label *:not(input,select,textarea,button,button *,a[href],a[href] *)") && closest(el, "label")?.control) || el;
const said = (el, state) => (el.hasAttribute(state) ? attr(el, state) === "true" : null);
// What an element holds, by its kind: {files}, {ticked}, {chosen} or {text}; null for what holds nothing.
function held(el) {
  const at = controlOf(el);
  if (tagOf(at) === "select") return { chosen: [...at.selectedOptions].map((one) => [one.value, fold(one.label)]) };
  if (tagOf(at) === "input") {
    if (at.type === "file") return { files: [...at.files].map((file) => [file.name, file.size]) };
    // A framework that draws a switch may take the press back from its box, and say here how that stands.
    if (at.type === "checkbox" || at.type === "radio") return { ticked: at.checked, says: said(at, "aria-checked") };
    return TYPED.test(at.type) ? { text: at.value } : null;
  }
  if (tagOf(at) === "textarea") return { text: at.value };
  if (at.isContentEditable) return { text: at.innerText };
  const ticked = said(at, "aria-checked") ?? said(at, "aria-selected");
  return ticked === null ? null : { ticked };
}
// Whether a field holds again what it held before something was put in, and the page has sent nothing of it: a title that is
// edited in place may take a text only once it has been pressed, as a person does before typing. The next time it is.
const UNPRESSED = new WeakSet();
function isUntaken() {
  const { el, before, put } = writing;
  const now = el?.isConnected && before && "text" in before ? held(el)?.text : undefined;
  const untaken = !!put && put !== before.text && now === before.text && activity.writes === activity.written;
  if (untaken) UNPRESSED.add(el);
  return untaken;
}
function putIn(el) {
  writing.put = held(el)?.text;
  giveField(el);
}
// A page may write into a field, or move its caret, as the focus comes: what is put in was to stand there alone, and would
// stand behind that. Seen on a form that makes a user's name of the real name once one leaves that.
function takeWhole(el) {
  if (UNPRESSED.delete(el)) throw new Error("the field is to be pressed first");
  writing.whole = el === writing.el && el.matches("input,textarea");
  return el;
}
listen(window, "beforeinput", (event) => {
  const { el, whole, before } = writing;
  if (!whole || !event.isTrusted || event.composedPath()[0] !== el) return;
  writing.whole = false;
  // What has no caret that a script can ask for: all of it is selected, unless the page has put something else there.
  const selected = el.selectionStart === null ? el.value === before?.text : el.selectionStart === 0 && el.selectionEnd === el.value.length;
  if (!selected) el.select();
}, { capture: true });
// What is typed into a field that opens a list only finds an option there.
listen(window, "input", (event) => event.isTrusted && event.composedPath()[0] === writing.el && !choosing.el && putIn(writing.el), { capture: true });
listen(window, "keydown", (event) => event.isTrusted && writing.el && belongs(writing.el, event.composedPath()[0]) && (writing.keys = [...writing.keys.slice(-2), event]), { capture: true });
observe(new MutationObserver((records) => {
  if (!writing.el) return;
  for (const { type, target, addedNodes } of records) writing.added.push(...(type === "childList" ? addedNodes : [target]));
  writing.added.splice(0, writing.added.length - REMEMBERED);
}), { childList: true, subtree: true, characterData: true });

// A framework may draw a field anew: the one that stands in its place is what the user sees.
const successor = () => inPlaceOf(writing.el, writing.path);
function inPlaceOf(el, path) {
  if (el.isConnected || !path) return el;
  const at = document.querySelector(path);
  return at && tagOf(at) === tagOf(el) && typeOf(at) === typeOf(el) && attr(at, "name") === attr(el, "name") ? at : el;
}
// Whether the page shows a text that it did not show before: by itself, as the name of a part; or somewhere in what is new,
// for what is typed into an editor whose field is only where the keys go.
function shownAnew(text, apart) {
  const sought = fold(text).toLowerCase();
  const shownIn = (node) => node.isConnected && !holds(writing.el, node.nodeType === 1 ? node : node.parentElement) && visible(node.nodeType === 1 ? node : node.parentElement);
  const texts = (node) => (node.nodeType === 3 ? [node] : [...pieces(node)]);
  const fits = apart ? (said) => said === sought || bareName(said, sought) : (said) => said.includes(sought);
  return !!sought && writing.added.some((node) => (node.nodeType === 3 || node.nodeType === 1) && (node.parentElement || node.nodeType === 1) && shownIn(node) &&
    (apart ? texts(node).some((at) => fits(fold(at.data).toLowerCase())) : fits(fold((node.nodeType === 3 ? node.parentElement : node).textContent).toLowerCase())));
}
function* pieces(node) {
  const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) yield walker.currentNode;
}
// A name with nothing but its size beside it: a sentence about it may say that it was refused.
const bareName = (text, name) => {
  const at = text.indexOf(name);
  return at >= 0 && !/\p{L}/u.test(`${text.slice(0, at)} ${text.slice(at + name.length)}`.replace(/\b(?:[kmg]i?)?b\b|\bbytes\b/g, ""));
};
const PICTURES = "img[src^='blob:'],img[src^='data:'],canvas,video[src^='blob:']";
const pictured = () => writing.added.some((node) => node.nodeType === 1 && node.isConnected && (node.matches(PICTURES) || node.querySelector(PICTURES)));

// What came of what was put in, once nothing is awaited any more; where nothing is followed, after a turn of the event
// loop: what the page's handlers put off is done then.
// What a page's handlers make of it a moment later, in timers that are no longer than those of a search as one types, is
// awaited: a page fills another field so, which is sent with this one. It costs as long as the page takes its time.
async function readBack(...put) {
  const untaken = isUntaken();
  await turn();
  for (const until = now() + SHORT; activity.timers.size && now() < until; ) await woken(until - now());
  for (keepGiven(...put); giveBack(); ) await turn();
  return { ...readWritten(...put), untaken };
}
function readWritten(kind, given, secret) {
  const { el, before, barred, put, keys } = writing;
  if (!el) return { there: false };
  const option = writing.option && readOption();
  const at = successor();
  const now = held(at);
  if (kind === "select" && choosing.el === el) return readPicked(at, given);
  const told = { option, sent_around: sentAround(controlOf(at)), cards: now ? cardsAround(at) : [], there: at.isConnected, overwritten: givenTo.has(at) && isOverwritten(at, givenTo.get(at)), barred, field: before !== null, textless: before === null && el.matches(TAKES_NONE), handled: keys.some((key) => key.defaultPrevented), stand_in: !isOpenToTouch(at), required: !!controlOf(at).required || attr(at, "aria-required") === "true" };
  if (now && "text" in now) {
    const was = before?.text ?? "";
    Object.assign(told, { put: put !== undefined, same: now.text === was, bad: !!controlOf(at).validity?.badInput, most: controlOf(at).maxLength ?? -1 });
    const exact = put !== undefined && now.text === put;
    const letters = (text) => new Set((text || "").toLowerCase().match(/[\p{L}\p{N}]/gu));
    if (secret || isSecret(at)) return { ...told, secret: true, shares: [...letters(put)].some((one) => letters(now.text).has(one)), exact: exact && (kind === "type" || now.text.length === (given.length ?? given)), empty: !now.text };
    const echo = typeof given === "string" && shownAnew(given, told.stand_in ? false : true);
    const unpicked = isPicker(at) && attr(at, "aria-expanded") === "true";
    return { ...told, unpicked, now: now.text, before: was, echo, ids: was ? idsOfCard(at) : [], around: idsAround(controlOf(at)) };
  }
  const echo = kind === "upload" ? given.some(([name]) => shownAnew(name, true)) || pictured() : kind === "select" && [given, ...[...(controlOf(el).options || [])].filter((one) => one.value === given).map((one) => one.label)].some((text) => shownAnew(text, true));
  const own = now && "ticked" in now ? [attr(controlOf(at), "value"), nameOf(at)] : [];
  return { ...told, ...now, was: before, own, ids: now ? idsOfCard(at) : [], echo, box: boxOf(controlOf(at)) };
}
function readPicked(at, given) {
  if (!at.isConnected) return { there: false };
  const picked = pickedNow(given);
  const required = !!at.required || attr(at, "aria-required") === "true";
  return { there: true, barred: writing.barred, field: true, required, picked, was: { texts: choosing.texts }, ids: idsOfCard(at) };
}
// By what the innermost card is known that a control stands in. A text where none was may be for another thing, as a remark is.
const idsOfCard = (el) => levelsOf(controlOf(el)).find(({ tokens }) => tokens.length)?.tokens || [];
// What the cards are called that a control in no form stands in: what is pressed in another card is not for it.
const cardsAround = (el) => (formOf(controlOf(el)) ? [] : levelsOf(controlOf(el)).map(({ called }) => called).filter(Boolean));
// A box that is sent with something: one of the browser's own that has a name, or one in a form, also where a script draws
// it, as it draws a switch. A script that keeps a form calls its box by an id, often. Of any other box in no form (`alone`)
// nobody knows: it may be sent with what stands beside it, or only open a menu.
const calledById = (el) => (!/\d/.test(el.id) && masked(el.id) === el.id ? el.id : "");
// An element of the site's own that is drawn around one field is sent under its own name.
const sentAround = (el) => {
  const own = effectsVersion < 12 || attr(el, "name") ? null : [...ancestors(el)].find((at) => tagOf(at) === "form" || (tagOf(at).includes("-") && at.hasAttribute("name")));
  return own && tagOf(own) !== "form" && all(own, FIELDS).every((at) => at === el) ? attr(own, "name") : "";
};
const boxOf = (el) => {
  const own = el.type === "checkbox" || el.type === "radio";
  if (!own && !/^(?:checkbox|switch)$/.test(roleOf(el))) return null;
  const told = { name: el.name || sentAround(el) || calledById(el), label: labelOf(el) || nameOf(el), form: formShape(formOf(el)) };
  const alone = !formOf(el) && !(own && el.name);
  const asked = el.type === "radio" && effectsVersion > 11 ? askedByRadios(el) : "";
  return { ...told, type: own ? el.type : "checkbox", drawn: !own, alone, asked };
};
// What nobody sees of a field, or only a dot, stands in for what is seen.
function isOpenToTouch(el) {
  const box = el.getBoundingClientRect();
  return visible(el) && box.width > 2 && box.height > 2 && Number(getComputedStyle(el).opacity) > 0.05;
}
