// The tree as a user meets it: across shadow roots, and what of it can be seen.

// Whatever a page says is text that every later part can take: half a character (a cut through an emoji leaves one) and NUL
// are replaced where text is taken out of the page, before it is compared with what was taken before.
const BROKEN = /[\0\p{Cs}]/u;
const whole = (text) => (BROKEN.test(text) ? text.toWellFormed().replaceAll("\0", "\ufffd") : text);
const fold = (text) => whole(text || "").replace(/[\u200b\u00ad]/g, "").replace(/\s+/g, " ").trim();
const cut = (text, length) => (text.length > length ? text.slice(0, /[\ud800-\udbff]/.test(text[length - 1]) ? length - 1 : length) : text);
const tagOf = (el) => el.localName;
// A form answers form.id, form.title and the like with a field of that name, if it has one.
const attr = (el, name) => whole(el.getAttribute(name) || "");
// The elements that have a value of an attribute, as it was taken; a selector finds what is written so in the page.
const withValue = (root, name, value) => (value.includes("\ufffd") ? all(root, `[${name}]`).filter((el) => attr(el, name) === value) : all(root, `[${name}="${CSS.escape(value)}"]`));
const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);

function* ancestors(el) {
  for (let at = parentOf(el); at; at = parentOf(at)) yield at;
}

const holds = (outer, inner) => {
  for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
};
// Whether one comes before another, as a user meets them. A browser orders nodes of different trees by chance.
const follows = (one, other) => (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
function precedes(one, other) {
  if (one.getRootNode() === other.getRootNode()) return follows(one, other);
  const path = [one, ...ancestors(one)];
  for (let [at, below] = [other, null]; at; [at, below] = [parentOf(at), at]) {
    const level = path.indexOf(at);
    if (level >= 0) return !level || (!!below && follows(path[level - 1], below));
  }
  return false;
}
// Of some elements those that hold none of the others.
const innermost = (elements) => [...new Set(elements)].filter((el) => !elements.some((other) => other !== el && holds(el, other)));
const closest = (el, selector) => {
  for (let at = el; at; at = at.getRootNode().host) {
    const found = at.closest(selector);
    if (found) return found;
  }
  return null;
};

// As JSON an answer is on its way much sooner than as a value. A page may have JSON of its own, and a library may teach
// arrays and texts to write themselves otherwise: not while an answer is written.
const { parse: fromJson, stringify } = JSON;
const TEACHABLE = [Object, Array, String, Number, Boolean].map((kind) => kind.prototype);
const asJson = (answer) => {
  const taught = TEACHABLE.filter((kind) => Object.hasOwn(kind, "toJSON")).map((kind) => [kind, Object.getOwnPropertyDescriptor(kind, "toJSON")]);
  for (const [kind] of taught) delete kind.toJSON;
  try {
    const told = stringify(answer);
    return /\\u(?:d[89a-f]|0000)/.test(told) ? stringify(answer, (key, value) => (typeof value === "string" ? whole(value) : value)) : told;
  } finally {
    for (const [kind, how] of taught) Object.defineProperty(kind, "toJSON", how);
  }
};

// What was found out about elements while one question is answered, in which nothing can change.
let memo = null;
const remembering = (answer) => (...question) => {
  if (memo) return answer(...question);
  memo = { hidden: new Map(), shown: new Map(), role: new Map(), name: new Map(), named: new Map(), labelled: new Map(), picture: new Map(), folded: new Map(), steps: new Map(), path: new Map(), headings: new Map(), drawnFor: new Map(), drawnLists: new Map(), block: new Map(), lines: null, texts: null, stored: null, tokens: null };
  try {
    return answer(...question);
  } finally {
    memo = null;
  }
};
function once(kind, el, find) {
  const known = memo && memo[kind];
  if (!known) return find(el);
  if (!known.has(el)) known.set(el, find(el));
  return known.get(el);
}

// All elements below a root that match a selector, open shadow roots included.
let shadows = false;
const closed = new WeakSet(); // hosts of shadow roots that nobody looks into
const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = new Proxy(attachShadow, {
  apply(target, self, args) {
    shadows = true;
    if (args[0]?.mode === "closed") closed.add(self);
    const root = Reflect.apply(target, self, args);
    observed(root);
    return root;
  },
});
function findDeclared(root = document) {
  for (const { shadowRoot } of root.querySelectorAll("*")) {
    if (!shadowRoot) continue;
    shadows = true;
    observed(shadowRoot);
    findDeclared(shadowRoot);
  }
}
// An observer of a document sees nothing of the shadow roots in it.
const observers = [];
const observed = (root) => observers.forEach(([observer, what]) => observer.observe(root, what));
function observe(observer, what) {
  observers.push([observer, what]);
  observer.observe(document, what);
}
listen(document, "DOMContentLoaded", () => findDeclared(), { once: true });

function all(root, selector) {
  if (!shadows && document.readyState === "loading") findDeclared();
  if (!shadows) return [...root.querySelectorAll(selector)];
  const found = [];
  const visit = (node) => {
    if (node.shadowRoot) visit(node.shadowRoot);
    for (const el of node.querySelectorAll("*")) {
      if (el.matches(selector)) found.push(el);
      if (el.shadowRoot) visit(el.shadowRoot);
    }
  };
  visit(root);
  return [...new Set(found)];
}
// The texts in an element, those in open shadow roots included.
function* textNodesIn(el) {
  const roots = shadows ? [el, ...all(el, "*")].map((at) => at.shadowRoot).filter(Boolean) : [];
  for (const root of [el, ...roots]) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) yield walker.currentNode;
  }
}
// What an element shows, that included, too: a browser's innerText leaves it out.
function shownText(el) {
  if (!el || !shadows) return el?.innerText || "";
  const inner = [el, ...all(el, "*")].flatMap((at) => [...(at.shadowRoot?.children || [])]);
  return [el, ...inner.filter((at) => !UNSHOWN.has(tagOf(at)))].map((at) => at.innerText || "").filter(Boolean).join("\n");
}
const textWithin = (el) => (shadows ? [...textNodesIn(el)].map((node) => node.data).join(" ") : el.textContent);
const refsOf = (el, attribute) => {
  const ids = attr(el, attribute).split(/\s+/).filter(Boolean);
  return [...new Set(ids.map((id) => el.getRootNode().querySelector(`#${CSS.escape(id)}`)).filter(Boolean))];
};

const visible = (el) => once("shown", el, isShown);
function isShown(el) {
  if (!el.isConnected) return false;
  if (tagOf(el) === "option" || tagOf(el) === "optgroup") return !!el.closest("select") && isOpenToSee(el.closest("select"));
  const style = getComputedStyle(el);
  if (style.display === "contents") {
    return [...el.childNodes].some((n) => (n.nodeType === 1 ? visible(n) : n.nodeType === 3 && textBox(n)));
  }
  if (!el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })) return false;
  const box = el.getBoundingClientRect();
  // What takes no room itself may show parts that stand out of it, as the thumb of a slider does.
  return (box.width > 0 && box.height > 0) || (style.overflow === "visible" && [...el.children].some(visible)) || hasCaret(el);
}
// An editor may take no room once its placeholder went, as the focus came: whoever writes there sees the caret.
const hasCaret = (el) => el.isContentEditable && el.matches(":focus");
// A list that a widget stands for is kept on the page as a dot, and so are its options.
function isOpenToSee(list) {
  const box = list.getBoundingClientRect();
  return visible(list) && box.width > 2 && box.height > 2;
}
function textBox(node) {
  const range = document.createRange();
  range.selectNode(node);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

// Whether an element is hidden from assistive technology.
let unhidden = new Set(); // what counts as shown to it all the same, while one question is answered
const SILENT = new Set(["style", "script", "noscript", "template"]);
function hiddenForAria(el) {
  if (SILENT.has(tagOf(el))) return true;
  const style = getComputedStyle(el);
  const slot = tagOf(el) === "slot";
  if (style.display === "contents" && !slot) {
    return ![...el.childNodes].some((n) => (n.nodeType === 1 ? !hiddenForAria(n) : n.nodeType === 3 && textBox(n)));
  }
  const option = tagOf(el) === "option" && el.closest("select");
  if (!option && !slot && (!el.checkVisibility() || style.visibility !== "visible")) return true;
  return cutOff(el);
}
const isAriaHidden = (el) => attr(el, "aria-hidden").toLowerCase() === "true";
function cutOff(el) {
  return once("hidden", el, () => {
    if (el.parentElement?.shadowRoot && !el.assignedSlot) return true;
    if (getComputedStyle(el).display === "none" || (isAriaHidden(el) && !unhidden.has(el))) return true;
    const parent = el.parentElement || el.getRootNode().host;
    return parent ? cutOff(parent) : false;
  });
}
// What the site answered with: 0 where the browser does not say.
const statusOf = () => performance.getEntriesByType("navigation")[0]?.responseStatus || 0;
