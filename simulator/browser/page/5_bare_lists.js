// Lists that a script draws of elements which say nothing of what they are: which is an option, is known by what pressing it
// does. Not responsible for: lists and fields with roles (`choosing`).

// What the part of the page is called that a field stands in.
const calledPart = (el) => scopesOf(el, roleOf(el), nameOf(el)).map(([, scope]) => scope).find((scope) => ["dialog", "section"].includes(scope.kind) && scope.name)?.name || "";

// Where neither a list nor its options say what they are, a choice is known by what it does: the part that was pressed
// before shows what is called as the pressed one, once more than before. Seen on lists of `div` and `li`. A menu by which a
// page is sorted is taken for a choice as well: it is one that nothing sends.
const NO_OPTION = `${FIELDS},[role=option],[role=tab],[role=treeitem],a[href]:not([href='#']),label`;
const MOST_SHOWN = 200;
const PART_LEVELS = 2;
function barePressed(el) {
  const field = writing.el;
  const label = fold(el.innerText);
  if (!field?.isConnected || field === el || holds(el, field) || !label || label.length > 120 || closest(el, NO_OPTION)) return null;
  if (takesText(field) || (field.matches(NO_OPTION) && !isPicker(field))) return null;
  const list = listAround(el, field);
  const part = shownPart(field, list);
  const texts = textsOutside(part, list);
  return { el, bare: true, list, part, field, texts, label, kept: keptIn(part) };
}
// Whose members an element is one of; never what the field is in as well.
function listAround(el, field) {
  for (let at = el, level = 0; at.parentElement && !holds(at.parentElement, field) && level < 4; at = at.parentElement, level++) {
    if ([...at.parentElement.children].some((other) => other !== at && tagOf(other) === tagOf(at))) return at.parentElement;
  }
  return el;
}
// What was pressed, with what stands around it: what it is called, and where it keeps its value.
function shownPart(field, list) {
  const fits = (at) => at && !at.matches("form,fieldset,body,dialog,[role=dialog],[role=form]") && !all(at, FIELDS).some((one) => isOffered(one) && isDrawn(one)) && textsOutside(at, list).join(" ").length <= MOST_SHOWN;
  let found = field;
  for (let level = 0; level < PART_LEVELS && fits(found.parentElement); level++) found = found.parentElement;
  return found;
}
const textsOutside = (part, list) => [...pieces(part)].filter((node) => fold(node.data) && !holds(list, node.parentElement) && isDrawn(node.parentElement)).map((node) => fold(node.data));
const keptIn = (part) => new Map(all(part, "input,select").filter((at) => !isSecret(at) && at.type !== "file").map((at) => [at, sendsNow(at)]));
// What of it has another value since.
const changedIn = (part, kept) => [...keptIn(part)].filter(([at, now]) => now && kept.get(at) !== now).map(([at]) => at);
function readBare({ field, part, list, texts, label, kept }) {
  const shown = part.isConnected ? textsOutside(part, list) : [];
  if (shownTimes(label, shown) <= shownTimes(label, texts)) return null;
  const names = [isLabelled(field) ? labelOf(field) : "", ...texts.filter((text) => text !== label && shown.includes(text)).slice(0, 1), captionOf(field)];
  const set = changedIn(part, kept);
  const value = set.length === 1 ? sendsNow(set[0]) : "";
  return { bare: true, many: false, label, value, opened: true, part: calledPart(field), names: [...new Set(names)].filter(Boolean), form: formShape(formOf(field)) };
}
