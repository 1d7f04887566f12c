// What could be pressed when the user first acted at an address. What came into sight since, as an item of a menu does, is out
// of sight again on the next document: that it is not there says nothing of what pressing it did. Not responsible for: how
// it stands there.
// So it is with what a press has renamed that sent nothing, as a "Remove" that asks "Sure?" in its own place: a later document
// calls it as before, whatever was kept. Where the press sent something its new name may be the state of the thing.

const PART_OF_PAGE = /#(?![!/]).*$/; // an address that goes on with it is that of the same page
const sight = { at: "", before: new WeakMap(), called: new Set(), renamed: new WeakMap(), opener: null, around: null, last: null };
// opener: what was acted on last that had not come into sight by an act. around: the card that it stood in. last: what was
// acted on last, how it was called then, and how many writing requests there had been. renamed: how what such a press has
// renamed was called at first.
// What holds no words may have its name from a style, or be known by what is drawn on it.
const calledAs = (el) => [tagOf(el), attr(el, "href"), cut(fold(el.textContent || attr(el, "aria-label") || attr(el, "value")) || nameOf(el) || pictureOf(el), 80)].join(" ");
const pageAddress = () => location.href.replace(PART_OF_PAGE, "");
function seeAtFirst(el) {
  if (sight.at === pageAddress()) {
    noteRenamed(el);
    if (!cameIntoSight(el)) Object.assign(sight, { opener: el, around: openedIn(el) });
    return;
  }
  sight.last = lastActed(el);
  Object.assign(sight, { at: pageAddress(), before: new WeakMap(), called: new Set(), opener: el, around: openedIn(el) });
  for (const el of all(document, PRESSABLE)) {
    const shown = visible(el);
    sight.before.set(el, shown);
    if (shown) sight.called.add(calledAs(el));
  }
}
function openedIn(el) {
  const card = scopeOf(el);
  return card === document.body ? null : { tag: tagOf(card), text: fold(card.textContent) };
}
const lastActed = (el) => ({ el, name: el.matches(FIELDS) ? "" : standsAs(el).name, writes: activity.writes });
function noteRenamed(el) {
  const { last } = sight;
  sight.last = lastActed(el);
  if (effectsVersion < 12 || last.el !== el || last.writes !== activity.writes || last.name === sight.last.name) return;
  sight.before.set(el, false);
  if (!sight.renamed.has(el)) sight.renamed.set(el, last.name);
}
// A page that draws its parts anew puts others in their place: these are known by what they are called.
const cameIntoSight = (el) => sight.at === pageAddress() && !(sight.before.get(el) ?? sight.called.has(calledAs(el)));
