// A list of the browser's own that a script keeps where nobody sees it, and the field that the script draws for it: both
// may be called alike. Not responsible for: choosing in one (`5_choosing.js`).

// What is transparent and lets the pointer through is for assistive technology alone.
const isPassedThrough = (el) => !el.checkVisibility({ opacityProperty: true }) && getComputedStyle(el).pointerEvents === "none";
const isKeptList = (el) => tagOf(el) === "select" && (!isOpenToSee(el) || isPassedThrough(el));
// What is kept so, and holds nothing but what is chosen by then: a script fetches what else there is.
const offersNothing = (list) => !!list && isKeptList(list) && ![...list.options].some((one) => one.value && !one.selected);
// A list that is not drawn at all, or has nothing to offer, can be chosen in by nobody.
const isUndrawnList = (el) => tagOf(el) === "select" && (!visible(el) || isPassedThrough(el) || offersNothing(el));
// The field that a script draws for a list that it keeps: around it, or as the part of the page beside it, which has no field
// that is sent by itself. Where nothing in that says that it opens a list, it is one if somebody can write in it, or step to it.
const drawnFor = (list) => once("drawnFor", list, () => {
  const around = [...ancestors(list)].find((at) => at.matches(OPENS_LIST) && visible(at));
  if (around || !isKeptList(list)) return around || null;
  const sent = `label,select,a[href],button[type=submit],[name]:not([name=""])`;
  const parts = [list.nextElementSibling, list.previousElementSibling].filter((part) => part && visible(part) && !part.matches(sent) && !all(part, sent).length);
  const opening = (part) => outermost([part, ...all(part, OPENS_LIST)].filter((at) => at.matches(OPENS_LIST) && visible(at)));
  return parts.flatMap(opening)[0] || parts.find((part) => [part, ...all(part, "input,[tabindex]")].some((at) => at.tabIndex >= 0)) || null;
});
const drawnLists = () => once("drawnLists", document, () => all(document, "select").filter((list) => isUndrawnList(list) && drawnFor(list)));
const isFieldOf = (list, el) => {
  const field = drawnFor(list);
  return field === el || (!!field && holds(field, el) && isPicker(el) && !!labelOf(el) && labelOf(el) === labelOf(list));
};
// The list that is kept behind a field that a script draws: of what can be chosen there it says the most.
function listBehind(el) {
  const found = el.matches("input[type=hidden],select,button") ? [] : all(formOf(el) || document, "select").filter((list) => isKeptList(list) && isFieldOf(list, el));
  return found.length === 1 ? found[0] : null;
}
// Of these fields those of which nothing says that they are one. What they show is what they hold, and not what they are.
const drawnFields = () => (evidenceVersion < 3 ? [] : drawnLists().map(drawnFor).filter((el) => !el.matches(FIELDS)));
const isDrawnField = (el) => drawnFields().includes(el);
// Fields, each as the one that is drawn for it.
const asDrawn = (fields) => [...new Set(fields.map((el) => (isUndrawnList(el) && drawnFor(el)) || el))];
const oneOfEach = (fields) => {
  const asked = fields.length > 1 ? fields.filter((el) => !isStoodInFor(el)) : fields;
  return asDrawn(asked.length ? asked : fields);
};
// One of the two is asked: the one that a label names, as it is known again by that; else the drawn one. What stands in that
// is its own, as the field in which one looks for an option.
// What it calls its own search says nothing of what is asked; nothing sends that by itself.
const isPartOf = (el, list) => !labelOf(el) || (!attr(el, "name") && labelOf(el) !== labelOf(list));
const askedAs = (el) => labelOf(el) || captionOf(el);
function isStoodInFor(el) {
  const drawn = el.matches(OPENS_LIST);
  const around = [...ancestors(el)].find((at) => at.matches(OPENS_LIST) && visible(at));
  if (around && !drawn && !labelOf(el)) return true;
  if (isKeptList(el) && drawnFor(el) && (isUndrawnList(el) || !labelOf(el))) return true;
  if (drawnLists().some((list) => list !== el && drawnFor(list) !== el && holds(drawnFor(list), el) && isPartOf(el, list))) return true;
  if (!askedAs(el) || !(drawn || isKeptList(el))) return false;
  const twins = all(formOf(el) || document, `select,${OPENS_LIST}`).filter((at) => at !== el && (isKeptList(at) || (at.matches(OPENS_LIST) && visible(at))) && askedAs(at) === askedAs(el));
  const rank = (at) => (labelOf(at) && !isUndrawnList(at) ? 4 : 0) + (isKeptList(at) ? 0 : 1);
  return twins.some((at) => rank(at) > rank(el) && (holds(at, el) || holds(el, at) || isKeptList(at) !== isKeptList(el)));
}
