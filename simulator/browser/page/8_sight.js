// What could be pressed when the user first acted at an address. What came into sight since, as an item of a menu does, is out
// of sight again on the next document: that it is not there says nothing of what pressing it did. Not responsible for: how
// it stands there.

const PART_OF_PAGE = /#(?![!/]).*$/; // an address that goes on with it is that of the same page
const sight = { at: "", before: new WeakMap(), called: new Set(), opener: null };
// opener: what was acted on last that had not come into sight by an act.
// What holds no words may have its name from a style, or be known by what is drawn on it.
const calledAs = (el) => [tagOf(el), attr(el, "href"), cut(fold(el.textContent || attr(el, "aria-label") || attr(el, "value")) || nameOf(el) || pictureOf(el), 80)].join(" ");
const pageAddress = () => location.href.replace(PART_OF_PAGE, "");
function seeAtFirst(el) {
  if (sight.at === pageAddress()) {
    if (!cameIntoSight(el)) sight.opener = el;
    return;
  }
  Object.assign(sight, { at: pageAddress(), before: new WeakMap(), called: new Set(), opener: el });
  for (const el of all(document, PRESSABLE)) {
    const shown = visible(el);
    sight.before.set(el, shown);
    if (shown) sight.called.add(calledAs(el));
  }
}
// A page that draws its parts anew puts others in their place: these are known by what they are called.
const cameIntoSight = (el) => sight.at === pageAddress() && !(sight.before.get(el) ?? sight.called.has(calledAs(el)));
