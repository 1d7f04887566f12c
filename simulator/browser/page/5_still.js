// Whether a pointer can come to an element at once. Playwright looks at two frames first, and clicks nothing that moves
// between them. A page has mostly been drawn as often since it last changed, while one read and stored what it showed.

const SEEN_FRAMES = 2; // since the last change: what a page does as it is drawn, or shows by and by, has begun
const frameOf = window.requestAnimationFrame.bind(window);
const idleOf = window.requestIdleCallback.bind(window);
const still = { rests: false, frames: 0, asked: false, missed: false };
// rests: after the last change it was drawn so often, and had nothing left to do: no script that makes its parts react.
// missed: an input event went astray in this document, as what it was to reach had moved.
function drawn() {
  if (++still.frames < SEEN_FRAMES) frameOf(drawn);
  else idleOf(idle);
}
function idle() {
  still.asked = still.frames < SEEN_FRAMES;
  still.rests = !still.asked;
  if (still.asked) frameOf(drawn);
}
// The tree has changed: wait for all of it anew.
function stirred() {
  Object.assign(still, { rests: false, frames: 0 });
  if (still.asked) return;
  still.asked = true;
  frameOf(drawn);
}
stirred();

// What an animation moves is that element, what is in it, and what stands after it; one without an end, as a sign that turns,
// moves nothing else.
const isEndless = (animation) => animation.effect?.getComputedTiming().endTime === Infinity;
const moves = (animation, el) => {
  const at = animation.effect?.target;
  return animation.playState === "running" && (!isEndless(animation) || !at || holds(at, el));
};
const isWithin = ({ left, top, right, bottom }) => left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
const restless = () => {
  throw new Error("the element is not known to be at rest");
};
// Selector engine "sim", body "resting": all of a document that is at rest; asked before an element is sought in it.
const resting = () => (still.missed || !still.rests || activity.navigating || busy() || window !== window.top ? restless() : [document.documentElement]);
// What goes over several lines is clicked in the middle of its first one, which may show nothing of the rest.
function isStill(el) {
  const lines = [...el.getClientRects()];
  const [first] = lines;
  if (!first || first.width * first.height < 1 || !lines.every(isWithin)) return false;
  const hit = hitIn(first);
  return !obstacle(el, "point") && belongs(el, hit) && !document.getAnimations().some((one) => moves(one, el));
}
// What stands further down the page is brought into view first, as it is for a click that waits; what moves or comes over it
// by that is seen at once, or stopped as it is clicked.
const bring = Element.prototype.scrollIntoViewIfNeeded;
function isBrought(el) {
  if (!visible(el) || [...el.getClientRects()].every(isWithin)) return false;
  bring.call(el);
  return isStill(el);
}
// The same, body "still": as "touch", of what is at rest; of all else the caller waits for that.
function touchStill(el) {
  const at = touchOf(el);
  return isStill(at) || isBrought(at) ? at : restless();
}
