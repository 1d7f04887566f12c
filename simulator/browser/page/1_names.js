// Roles, accessible names and visibility of elements, by the rules that Playwright's role locators use.

const fold = (text) => (text || "").replace(/[\s\u00a0\u200b\u00ad]+/g, " ").trim();
const cut = (text, length) => (text.length > length ? text.slice(0, length) : text);
const tagOf = (el) => el.localName;
const parentOf = (el) => el.assignedSlot || el.parentElement || (el.getRootNode() instanceof ShadowRoot ? el.getRootNode().host : null);

function* ancestors(el) {
  for (let at = parentOf(el); at; at = parentOf(at)) yield at;
}

const holds = (outer, inner) => {
  for (let at = inner; at; at = parentOf(at)) if (at === outer) return true;
  return false;
};

// All elements below a root that match a selector, open shadow roots included.
let shadows = false;
const attachShadow = Element.prototype.attachShadow;
Element.prototype.attachShadow = new Proxy(attachShadow, {
  apply(target, self, args) {
    shadows = true;
    return Reflect.apply(target, self, args);
  },
});
const findDeclared = () => {
  shadows = shadows || [...document.querySelectorAll("*")].some((el) => el.shadowRoot);
};
document.addEventListener("DOMContentLoaded", findDeclared, { once: true });

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
function byId(el, id) {
  const root = el.getRootNode();
  return (root.getElementById && root.getElementById(id)) || document.getElementById(id);
}

function visible(el) {
  if (!el.isConnected) return false;
  if (tagOf(el) === "option" || tagOf(el) === "optgroup") return el.closest("select") ? visible(el.closest("select")) : false;
  const style = getComputedStyle(el);
  if (style.display === "contents") {
    return [...el.childNodes].some((n) => (n.nodeType === 1 ? visible(n) : n.nodeType === 3 && textBox(n)));
  }
  if (!el.checkVisibility({ visibilityProperty: true, contentVisibilityAuto: false })) return false;
  const box = el.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}
function textBox(node) {
  const range = document.createRange();
  range.selectNode(node);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

const SECTIONING = "article,aside,main,nav,section,[role=article],[role=complementary],[role=main],[role=navigation],[role=region]";
const ABSTRACT = new Set(["command", "composite", "input", "landmark", "range", "roletype", "section", "sectionhead", "select", "structure", "widget", "window"]);
const INPUT_ROLE = { button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox", radio: "radio", number: "spinbutton", range: "slider" };
const TAG_ROLE = {
  article: "article", aside: "complementary", blockquote: "blockquote", button: "button", caption: "caption", code: "code", datalist: "listbox", dd: "definition",
  del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure", h1: "heading", h2: "heading",
  h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator", html: "document", ins: "insertion", li: "listitem", main: "main", mark: "mark",
  math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
  progress: "progressbar", search: "search", strong: "strong", sub: "subscript", sup: "superscript", svg: "img", table: "table", tbody: "rowgroup",
  textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
};

function roleOf(el) {
  const given = (el.getAttribute("role") || "").split(/\s+/).find((role) => role && !ABSTRACT.has(role));
  if (given && given !== "none" && given !== "presentation") return given;
  if (given && !el.hasAttribute("tabindex") && !["a", "button", "input", "select", "textarea"].includes(tagOf(el))) return "";
  switch (tagOf(el)) {
    case "a":
    case "area":
      return el.hasAttribute("href") ? "link" : "";
    case "input": {
      const type = el.type;
      if (type === "hidden") return "";
      const listed = el.list && ["text", "search", "email", "tel", "url"].includes(type);
      if (listed) return "combobox";
      if (type === "search") return "searchbox";
      return INPUT_ROLE[type] || "textbox";
    }
    case "select":
      return el.multiple || el.size > 1 ? "listbox" : "combobox";
    case "img":
      return el.getAttribute("alt") === "" && !el.hasAttribute("title") && !el.hasAttribute("aria-label") ? "" : "img";
    case "form":
      return labelled(el) ? "form" : "";
    case "section":
      return labelled(el) ? "region" : "";
    case "header":
      return el.closest(SECTIONING) ? "" : "banner";
    case "footer":
      return el.closest(SECTIONING) ? "" : "contentinfo";
    case "td":
      return el.closest("table[role=grid],table[role=treegrid]") ? "gridcell" : "cell";
    case "th":
      if (el.scope === "row" || el.scope === "rowgroup") return "rowheader";
      if (el.scope === "col" || el.scope === "colgroup") return "columnheader";
      return el.previousElementSibling || el.nextElementSibling?.localName === "th" || !el.nextElementSibling ? "columnheader" : "rowheader";
    default:
      return TAG_ROLE[tagOf(el)] || "";
  }
}
const labelled = (el) => el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby") || el.hasAttribute("title");

const FROM_CONTENT = new Set([
  "button", "cell", "checkbox", "columnheader", "gridcell", "heading", "link", "menuitem", "menuitemcheckbox", "menuitemradio", "option", "radio", "row",
  "rowheader", "switch", "tab", "tooltip", "treeitem",
]);
const UNNAMED = new Set(["caption", "code", "definition", "deletion", "emphasis", "insertion", "mark", "paragraph", "strong", "subscript", "superscript", "term", "time", ""]);

function cssText(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (!content || content === "none" || content === "normal" || style.display === "none" || style.visibility !== "visible") return "";
  const text = [...content.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map((m) => m[1].replace(/\\(.)/g, "$1")).join("");
  return style.display === "inline" ? text : ` ${text} `;
}

const unseen = (el) => {
  if (el.getAttribute("aria-hidden") === "true") return true;
  if (["script", "style", "noscript", "template", "head"].includes(tagOf(el))) return true;
  const style = getComputedStyle(el);
  return style.display === "none" || (style.visibility !== "visible" && style.display !== "contents");
};

// The text alternative of one node inside the name of another (accname 1.2, steps 2B to 2I).
function nodeText(el, seen, traversal) {
  if (seen.has(el)) return "";
  seen.add(el);
  if (traversal === "reference" ? false : unseen(el)) return "";
  const ids = traversal === "reference" ? "" : el.getAttribute("aria-labelledby") || "";
  if (ids) {
    const parts = ids.split(/\s+/).map((id) => byId(el, id)).filter(Boolean).map((ref) => nodeText(ref, new Set(), "reference"));
    if (fold(parts.join(" "))) return parts.join(" ");
  }
  const tag = tagOf(el);
  const role = roleOf(el);
  if (traversal !== "root" && traversal !== "reference") {
    // A control inside a label or a button speaks with its value.
    if (role === "textbox" || role === "searchbox") return el.type === "password" ? "" : el.value || el.textContent || "";
    if (tag === "select") return [...el.selectedOptions].map((option) => option.textContent).join(" ");
    if (role === "spinbutton" || role === "slider") return el.getAttribute("aria-valuetext") || el.getAttribute("aria-valuenow") || el.value || "";
  }
  const own = fold(el.getAttribute("aria-label"));
  if (own) return own;
  if (tag === "input" && ["submit", "reset", "button"].includes(el.type)) {
    if (el.value) return el.value;
    if (el.type !== "button") return el.title || (el.type === "submit" ? "Submit" : "Reset");
    return el.title;
  }
  if (tag === "input" && el.type === "image") {
    const label = labelText(el, seen);
    return label || el.alt || el.title || "Submit";
  }
  if (tag === "input" && el.type === "file") {
    return labelText(el, seen) || "Choose File";
  }
  if (["input", "select", "textarea", "meter", "progress", "output"].includes(tag)) {
    const label = labelText(el, seen);
    if (label) return label;
    if (tag === "input" || tag === "textarea") return el.placeholder && !el.title ? el.placeholder : el.title || "";
    return el.title || "";
  }
  if (tag === "img" || tag === "area") return el.getAttribute("alt") || el.title || "";
  if (tag === "svg") {
    const title = [...el.children].find((child) => child.localName === "title");
    if (title) return title.textContent;
  }
  const part = { fieldset: "legend", table: "caption", figure: "figcaption" }[tag];
  if (part && traversal === "root") {
    const heading = [...el.children].find((child) => tagOf(child) === part);
    return heading ? contentText(heading, seen) : el.title || "";
  }
  if (tag === "button" && traversal === "root") {
    const label = el.labels && el.labels.length ? labelText(el, seen) : "";
    if (label) return label;
  }
  if (traversal !== "root" || FROM_CONTENT.has(role)) {
    const text = contentText(el, seen);
    if (fold(text)) return text;
  }
  return el.title || "";
}
function labelText(el, seen) {
  return [...(el.labels || [])].map((label) => nodeText(label, new Set([el, ...seen]), "label")).filter((text) => fold(text)).join(" ");
}
function contentText(el, seen) {
  let text = cssText(el, "::before");
  const nodes = tagOf(el) === "slot" && el.assignedNodes().length ? el.assignedNodes() : el.shadowRoot ? el.shadowRoot.childNodes : el.childNodes;
  for (const node of nodes) {
    if (node.nodeType === 3) text += node.textContent;
    else if (node.nodeType === 1) {
      if (tagOf(node) === "br") {
        text += " ";
        continue;
      }
      const inner = nodeText(node, seen, "content");
      const display = getComputedStyle(node).display;
      text += display === "inline" || display === "contents" ? inner : ` ${inner} `;
    }
  }
  return text + cssText(el, "::after");
}

function nameOf(el) {
  const role = roleOf(el);
  if (UNNAMED.has(role) && !["a", "summary", "label"].includes(tagOf(el)) && !el.hasAttribute("aria-label")) return "";
  return cut(fold(nodeText(el, new Set(), "root")), 200);
}
