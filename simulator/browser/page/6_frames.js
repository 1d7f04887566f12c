// The frames of a page: what each is known by, and whether the focus or a point is in it. They report what is in them.

const frameNamed = (el) =>
  [attr(el, "name"), attr(el, "title")].map(fold).find((name) => name && masked(name) === name) ||
  (attr(el, "src") ? shapeOf(el.src) : el.hasAttribute("srcdoc") ? "about:srcdoc" : "about:blank");

// The point as it is one of the frame's own viewport, where what is there is the frame; "" where the focus is in it and
// no point was given; else null.
function entered(el, point) {
  if (!point) return focused() === el ? "" : null;
  if (hitBy(point) !== el) return null;
  const [x, y] = point.split(",").map(Number);
  const box = el.getBoundingClientRect();
  const style = getComputedStyle(el);
  const inside = (at, from, drawn, whole, edge, padding) => ((at - from) * whole) / drawn - edge - parseFloat(padding);
  return [
    inside(x, box.x, box.width, el.offsetWidth, el.clientLeft, style.paddingLeft),
    inside(y, box.y, box.height, el.offsetHeight, el.clientTop, style.paddingTop),
  ].join();
}
