// What has neither name nor words is identified by its picture: what a drawing is drawn of, the file of an image, or what the
// style puts there. What stands inside of a drawing is data, as in a chart, and identifies nothing.
const SHAPES = "path,circle,ellipse,rect,line,polyline,polygon,use";
const GEOMETRY = ["d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height", "transform"];
const NO_PICTURE = "html,body,canvas,video,iframe,option";
const ICON_PARTS = 20;
const OPENERS = ["aria-haspopup", "data-bs-toggle", "data-toggle"];
// An image that is larger shows a thing of the site, not what a button is for.
const ICON_SIZE = 64;
const isIcon = (el) => {
  const box = el.getBoundingClientRect();
  return box.width <= ICON_SIZE && box.height <= ICON_SIZE;
};
function digest(text) {
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at++) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x85ebca6b) ^ (other >>> 13);
  }
  return [one, other].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
const fileOf = (address) => (/^(?:data|blob):/i.test(address) ? `data ${digest(address)}` : shapeOf(address).replace(/[?#].*/, ""));
// A symbol of a sheet of symbols has a name there.
const symbolOf = (use) => (attr(use, "href") || attr(use, "xlink:href")).replace(/^[^#]*(?=#)/, "");
function drawing(svg) {
  const shapes = all(svg, SHAPES);
  const symbols = shapes.filter((at) => tagOf(at) === "use").map(symbolOf);
  if (symbols.length === 1 && shapes.length === 1 && symbols[0]) return symbols[0];
  // Filled, it may say that what it stands for has been done: a heart, a star.
  const hollow = (at) => (attr(at.closest("[fill]") || at, "fill") === "none" ? "hollow" : "");
  const drawn = shapes.map((at) => [tagOf(at), symbolOf(at), hollow(at), ...GEOMETRY.map((name) => fold(attr(at, name)))].join(" "));
  return drawn.length ? `drawing ${digest(drawn.join())}` : "";
}
function styledAs(el) {
  const found = [];
  for (const part of ["", "::before", "::after"]) {
    const style = getComputedStyle(el, part || null);
    if (part && ["none", "normal"].includes(style.content)) continue;
    // A sign of an icon font may be marked not to count as text.
    const sign = part ? style.content.match(/^"((?:[^"\\]|\\.)*)"/) : null;
    if (sign?.[1].trim()) found.push(`sign ${[...sign[1]].map((one) => one.codePointAt(0).toString(16)).join("-")}`);
    for (const kind of isIcon(el) ? ["background", "mask"] : []) {
      const files = [...(style[`${kind}Image`] || "").matchAll(/url\("((?:[^"\\]|\\.)*)"\)/g)].map(([, address]) => fileOf(address));
      // Of a sheet of pictures it shows one.
      const place = style[`${kind}Position`];
      if (files.length) found.push(...files, ...(place === "0% 0%" ? [] : [`at ${place}`]));
    }
  }
  return found;
}
// One of a scale, such as the stars of a rating, looks like the others: the value that it stands for identifies it.
function valueOf(el) {
  const mark = closest(el, "[data-value]");
  const scale = mark?.parentElement ? [...mark.parentElement.children].filter((at) => at.dataset.value && tagOf(at) === tagOf(mark)) : [];
  const several = scale.length > 1 && new Set(scale.map((at) => at.dataset.value)).size === scale.length;
  return several && !textOf(mark) && mark.querySelectorAll("*").length < ICON_PARTS ? ` value ${cut(mark.dataset.value, 40)}` : "";
}
const pictureOf = (el) => once("picture", el, findPicture);
const EDITOR = "textarea,[contenteditable=''],[contenteditable=true],[contenteditable=plaintext-only]";
const isEditor = (el) => el.matches(EDITOR) || (tagOf(el) === "input" && PLACEHOLDERS.has(el.type));
function findPicture(el) {
  // What one writes in and nothing is written beside looks like none of the other fields.
  if (isEditor(el)) return nameOf(el) || captionBeside(el) ? "" : "editor";
  if (el.ownerSVGElement || el.matches(`${FIELDS},${NO_PICTURE}`) || nameOf(el) || shownBy(el)) return "";
  const parts = [el, ...all(el, "*")].filter((at) => !at.ownerSVGElement);
  if (parts.length > ICON_PARTS) return "";
  const seen = parts.filter((at) => at === el || visible(at));
  const content = seen.map((at) => (tagOf(at) === "svg" ? drawing(at) : tagOf(at) === "img" && isIcon(at) ? fileOf(attr(at, "src")) : "")).filter(Boolean);
  const styled = seen.flatMap(styledAs);
  if (styled.length) return cut(`style ${[...content, ...styled].join(" ")}`, 200) + valueOf(el);
  if (content.length) return cut(content.join(" "), 200) + valueOf(el);
  // An arrow made of borders says that something opens here, and so do these.
  const opens = [...OPENERS, "aria-expanded"].some((name) => el.hasAttribute(name));
  const what = OPENERS.map((name) => attr(el, name)).find((kind) => kind && !["true", "false"].includes(kind));
  return opens ? fold(`opener ${cut(what || "", 40)}`) : isBackdrop(el) ? "backdrop" : "";
}
// What lies over the whole page and shows nothing: beside a dialog it is clicked to close it.
function isBackdrop(el) {
  const box = el.getBoundingClientRect();
  const covers = box.left <= 0 && box.top <= 0 && box.right >= innerWidth && box.bottom >= innerHeight;
  return covers && !el.children.length && ["fixed", "absolute"].includes(getComputedStyle(el).position);
}
function withPicture(root, tag, picture) {
  return innermost(all(root, CSS.escape(tag)).filter((el) => visible(el) && pictureOf(el) === picture));
}
