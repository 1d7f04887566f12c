// Roles and accessible names (WAI-ARIA, HTML-AAM, accname 1.2), where the rules leave room as Playwright's role locators have it.

const ROLES = new Set(
  ("alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox complementary contentinfo definition " +
    "deletion dialog directory document emphasis feed figure form generic grid gridcell group heading img insertion link list listbox listitem log main mark " +
    "marquee math meter menu menubar menuitem menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio radiogroup " +
    "region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab table tablist " +
    "tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem").split(" "),
);
const INPUT_ROLE = { button: "button", submit: "button", reset: "button", image: "button", file: "button", checkbox: "checkbox", radio: "radio", number: "spinbutton", range: "slider" };
const TAG_ROLE = {
  article: "article", aside: "complementary", blockquote: "blockquote", button: "button", caption: "caption", code: "code", datalist: "listbox", dd: "definition",
  del: "deletion", details: "group", dfn: "term", dialog: "dialog", dt: "term", em: "emphasis", fieldset: "group", figure: "figure", h1: "heading", h2: "heading",
  h3: "heading", h4: "heading", h5: "heading", h6: "heading", hr: "separator", html: "document", ins: "insertion", li: "listitem", main: "main", mark: "mark",
  math: "math", menu: "list", meter: "meter", nav: "navigation", ol: "list", optgroup: "group", option: "option", output: "status", p: "paragraph",
  progress: "progressbar", search: "search", strong: "strong", sub: "subscript", sup: "superscript", svg: "img", table: "table", tbody: "rowgroup",
  textarea: "textbox", tfoot: "rowgroup", thead: "rowgroup", time: "time", tr: "row", ul: "list",
};
const SECTIONING = [
  ...["article", "aside", "main", "nav", "section"].map((tag) => `${tag}:not([role])`),
  ...["article", "complementary", "main", "navigation", "region"].map((role) => `[role=${role}]`),
].join();

const givenRole = (el) => attr(el, "role").toLowerCase().split(/\s+/).find((role) => ROLES.has(role)) || "";
const labelled = (el) => el.hasAttribute("aria-label") || el.hasAttribute("aria-labelledby");
const formLike = (el) => ["text", "search", "email", "tel", "url"].includes(el.type);

function nativeRole(el) {
  switch (tagOf(el)) {
    case "a":
    case "area":
      return el.hasAttribute("href") ? "link" : "";
    case "input":
      if (el.type === "hidden") return "";
      if (formLike(el) && refsOf(el, "list")[0]?.localName === "datalist") return "combobox";
      return el.type === "search" ? "searchbox" : INPUT_ROLE[el.type] || "textbox";
    case "summary":
      return el.parentElement?.localName === "details" ? "button" : "";
    case "select":
      return el.multiple || el.size > 1 ? "listbox" : "combobox";
    case "img":
      return el.getAttribute("alt") === "" && !attr(el, "title") && !hasGlobalAria(el, "") && !tabbable(el) ? "presentation" : "img";
    case "form":
      return labelled(el) ? "form" : "";
    case "section":
      return labelled(el) ? "region" : "";
    case "header":
      return closest(el, SECTIONING) ? "" : "banner";
    case "footer":
      return closest(el, SECTIONING) ? "" : "contentinfo";
    case "td": {
      const table = closest(el, "table");
      return table && ["grid", "treegrid"].includes(givenRole(table)) ? "gridcell" : "cell";
    }
    case "th":
      return headerRole(el);
    default:
      return TAG_ROLE[tagOf(el)] || "";
  }
}
function headerRole(el) {
  const scope = attr(el, "scope");
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  const beside = [el.previousElementSibling, el.nextElementSibling];
  if (!beside[0] && !beside[1]) return el.parentElement?.localName === "tr" && closest(el, "table")?.rows.length <= 1 ? "" : "columnheader";
  if (beside.every((other) => other?.localName === "th")) return "columnheader";
  const filled = (other) => other?.localName === "td" && (other.textContent.trim() || other.children.length);
  return beside.some(filled) ? "rowheader" : "columnheader";
}

const GLOBAL_ARIA = ["atomic", "busy", "controls", "current", "describedby", "details", "dropeffect", "flowto", "grabbed", "hidden", "keyshortcuts", "live", "owns", "relevant"];
const NAME_PROHIBITED = new Set(["caption", "code", "deletion", "emphasis", "generic", "insertion", "paragraph", "presentation", "strong", "subscript", "superscript"]);
const hasGlobalAria = (el, role) =>
  GLOBAL_ARIA.some((name) => el.hasAttribute(`aria-${name}`)) ||
  (labelled(el) && !NAME_PROHIBITED.has(role)) || (el.hasAttribute("aria-roledescription") && role !== "generic");
const tabbable = (el) => !Number.isNaN(Number(String(el.getAttribute("tabindex"))));
const focusable = (el) =>
  !el.matches(":disabled") && (tabbable(el) || el.matches("button,details,select,textarea,a[href],area[href]") || (tagOf(el) === "input" && !el.hidden));
const presentational = (role) => role === "none" || role === "presentation";
const insists = (el, role) => hasGlobalAria(el, role) || focusable(el);

// A part of a list or table is as presentational as the whole.
const WHOLE = { dd: "dl,div", div: "dl", dt: "dl,div", li: "ol,ul", tbody: "table", td: "tr", tfoot: "table", th: "tr", thead: "table", tr: "thead,tbody,tfoot,table" };
function impliedRole(el) {
  const role = nativeRole(el);
  if (!role) return "";
  for (let at = el; ; ) {
    const parent = at.parentElement;
    if (!parent || !WHOLE[tagOf(at)] || !parent.matches(WHOLE[tagOf(at)])) return role;
    const given = givenRole(parent);
    if (presentational(given) && !insists(parent, given)) return given;
    at = parent;
  }
}
function fullRole(el) {
  return once("role", el, () => {
    const given = givenRole(el);
    if (!given) return impliedRole(el);
    if (!presentational(given)) return given;
    const implied = impliedRole(el);
    return insists(el, implied) ? implied : given;
  });
}
const roleOf = (el) => {
  const role = fullRole(el);
  return presentational(role) || role === "generic" ? "" : role;
};

const words = (text) => new Set(text.split(" "));
const FROM_CONTENT = words("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab tooltip treeitem");
const FROM_CONTENT_WITHIN = words(
  "caption code contentinfo definition deletion emphasis insertion list listitem mark none paragraph presentation region row rowgroup section strong subscript superscript table term time",
).add("");
const NAMELESS = words("caption code definition deletion emphasis generic insertion mark paragraph presentation strong subscript suggestion superscript term time");
const PLACEHOLDERS = words("text password number search tel email url");
const HEADED_BY = { fieldset: "legend", figure: "figcaption", table: "caption" };
const RANGES = words("progressbar scrollbar slider spinbutton meter");

// What CSS puts in place: a pseudo-element's text, or an element's alternative text for an image.
function cssText(el, which) {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (!content || content === "none" || content === "normal" || (which && (style.display === "none" || style.visibility === "hidden"))) return null;
  const [, , alternative] = content.match(/^((?:"(?:[^"\\]|\\.)*"|[^"/]|\/(?=[^"]*\)))*)\/(.*)$/) || [];
  if (alternative === undefined && !which) return null;
  const parts = (alternative ?? content).match(/"(?:[^"\\]|\\.)*"|attr\([\w-]+\)|\S+/g) || [];
  let text = "";
  for (const part of parts) {
    if (part.startsWith('"')) text += part.slice(1, -1).replace(/\\(.)/g, "$1");
    else if (part.startsWith("attr(")) text += attr(el, part.slice(5, -1));
    else return null;
  }
  return which && style.display !== "inline" ? ` ${text} ` : text;
}

// The text alternative of an element. `at` says on whose behalf: {target: "self" | "within" | "", labelledby, label, native: reached by that
// way; hidden: the way led to something hidden on purpose; seen}.
function alternative(el, at) {
  if (at.seen.has(el)) return "";
  if (SILENT.has(tagOf(el)) || (!at.hidden && hiddenForAria(el))) {
    at.seen.add(el);
    return "";
  }
  const refs = el.ariaLabelledByElements?.length ? [...el.ariaLabelledByElements] : refsOf(el, "aria-labelledby");
  if (!at.labelledby) {
    const text = refs.map((ref) => alternative(ref, { seen: at.seen, labelledby: true, hidden: hiddenForAria(ref) })).filter(Boolean).join(" ");
    // What is referred to and says nothing but space names nothing: browsers ask on. Role locators stop there, and know the element by no name.
    if (text.trim()) return text;
  }
  const role = fullRole(el);
  const said = spoken(el, role, at, refs) ?? attributed(el, role, at, at.labelledby && refs.length > 0 && !refs.includes(el));
  if (said !== null) {
    at.seen.add(el);
    return said;
  }
  const inner = { ...at, target: at.target === "self" ? "within" : at.target };
  const tag = tagOf(el);
  const fromContent = FROM_CONTENT.has(role) || (at.target === "within" && FROM_CONTENT_WITHIN.has(role)) || (tag === "summary" && !presentational(role));
  at.seen.add(el);
  if (fromContent || at.labelledby || at.label || at.native) {
    const text = contentText(el, inner);
    if (at.target === "self" ? text.trim() : text) return text;
  }
  if (presentational(role) && tag !== "iframe") return "";
  return attr(el, "title").trim() ? attr(el, "title") : "";
}
// A control inside a label or a button speaks with its value; a secret one is silent.
function spoken(el, role, at, refs) {
  if (!(at.label || at.labelledby || at.target === "within") || refs.includes(el)) return null;
  const tag = tagOf(el);
  if (role === "textbox" || role === "searchbox") return isSecret(el) ? "" : tag === "input" || tag === "textarea" ? el.value : el.textContent;
  if (role === "combobox" || role === "listbox") {
    let chosen = [];
    if (tag === "select") chosen = el.selectedOptions.length ? [...el.selectedOptions] : [...el.options].slice(0, 1);
    else {
      const owned = (of, selector) => [of, ...refsOf(of, "aria-owns")].flatMap((root) => [...(root !== of && root.matches(selector) ? [root] : []), ...root.querySelectorAll(selector)]);
      const list = role === "listbox" ? el : owned(el, "*").find((other) => fullRole(other) === "listbox");
      chosen = list ? owned(list, '[aria-selected="true" i]').filter((other) => fullRole(other) === "option") : [];
    }
    if (!chosen.length && tag === "input") return el.value;
    at.seen.add(el);
    return chosen.map((option) => alternative(option, { ...at, target: at.target && "within" })).join(" ");
  }
  if (RANGES.has(role)) return el.getAttribute("aria-valuetext") ?? el.getAttribute("aria-valuenow") ?? attr(el, "value");
  return role === "menu" ? "" : null;
}
// What an element's own attributes, labels or captions say; null when they are not to be asked. `referred`: its own references go before labels.
function attributed(el, role, at, referred) {
  const own = attr(el, "aria-label");
  if (own.trim()) return own;
  if (presentational(role)) return null;
  const tag = tagOf(el);
  const title = attr(el, "title");
  const labels = [...(el.labels || [])];
  if (tag === "input" && ["button", "submit", "reset"].includes(el.type)) {
    return el.value.trim() ? el.value : { submit: "Submit", reset: "Reset" }[el.type] || title;
  }
  if (tag === "input" && ["file", "image"].includes(el.type)) {
    if (labels.length && !at.labelledby) return labelText(el, at);
    if (el.type === "file") return "Choose File";
    return [attr(el, "alt"), title].find((text) => text.trim()) || "Submit";
  }
  if (["button", "output", "input", "textarea", "select", "meter", "progress"].includes(tag) && !referred) {
    if (labels.length) return labelText(el, at);
    if (tag === "button") return null;
    const hinted = tag === "textarea" || (tag === "input" && PLACEHOLDERS.has(el.type));
    return hinted && !title ? attr(el, "placeholder") : title;
  }
  if (HEADED_BY[tag] && (tag === "table" || !referred)) {
    const heading = [...el.children].find((child) => tagOf(child) === HEADED_BY[tag]);
    if (heading) {
      at.seen.add(el);
      return alternative(heading, { ...at, target: at.target && "within", native: true, hidden: at.hidden || hiddenForAria(heading) });
    }
    return tag === "table" ? attr(el, "summary") || null : title;
  }
  if (tag === "img" || tag === "area") return attr(el, "alt").trim() ? attr(el, "alt") : title;
  if (tag === "svg" || el.ownerSVGElement) {
    const heading = [...el.children].find((child) => tagOf(child) === "title" && child.ownerSVGElement);
    at.seen.add(el);
    if (heading) return alternative(heading, { ...at, target: at.target && "within", labelledby: true, hidden: at.hidden || hiddenForAria(heading) });
  }
  return null;
}
function labelText(el, at) {
  at.seen.add(el);
  return [...el.labels].map((label) => alternative(label, { seen: at.seen, label: true, hidden: hiddenForAria(label) })).filter(Boolean).join(" ");
}
function contentText(el, at) {
  const parts = [cssText(el, "::before") || ""];
  const visit = (node, slotted) => {
    if (!slotted && node.assignedSlot) return;
    if (node.nodeType === 1) {
      const text = alternative(node, at);
      parts.push((getComputedStyle(node).display || "inline") !== "inline" || tagOf(node) === "br" ? ` ${text} ` : text);
    } else if (node.nodeType === 3) {
      const parent = node.parentElement;
      const unrendered = parent && ((parent.shadowRoot && !node.assignedSlot) || (tagOf(parent) === "details" && !parent.open));
      if (at.hidden || !unrendered) parts.push(node.textContent);
    }
  };
  const replaced = cssText(el);
  if (replaced !== null) parts.push(replaced);
  else {
    const assigned = tagOf(el) === "slot" ? el.assignedNodes() : [];
    if (assigned.length) for (const node of assigned) visit(node, true);
    else for (const node of [...el.childNodes, ...(el.shadowRoot?.childNodes || []), ...refsOf(el, "aria-owns")]) visit(node, false);
  }
  parts.push(cssText(el, "::after") || "");
  return parts.join("");
}

// What an element was called when it was looked at, while it is judged whether it is that one still: {el, name, text, described}.
let seenAs = null;
// The whole accessible name, and as much of it as evidence keeps.
const wholeName = (el) => (seenAs?.el === el ? seenAs.name : nameNow(el));
const nameNow = (el) => once("name", el, () => (NAMELESS.has(fullRole(el)) ? "" : fold(alternative(el, { seen: new Set(), target: "self" }))));
const nameOf = (el) => cut(wholeName(el), 200);

// A sign of an icon font has no meaning outside of its font, and a name is the same with it and without it.
const SIGNS = /[\u{e000}-\u{f8ff}\u{f0000}-\u{ffffd}\u{100000}-\u{10fffd}]/gu;
const plainOf = (name) => fold(name.replace(SIGNS, " "));
const signsIn = (name) => (name.match(SIGNS) || []).join("");
const withPlainName = (root, role, plain) => (plain ? withRole(root, role).filter((el) => plainOf(nameOf(el)) === plain) : []);

// The stars of a rating are all called alike: each says which one of its set it is.
function placeInSet(el) {
  if (roleOf(el) !== "radio" || !el.hasAttribute("aria-posinset")) return "";
  const set = [...ancestors(el)].find((at) => roleOf(at) === "radiogroup");
  const twins = set ? [...set.querySelectorAll("[role=radio]")].filter((at) => nameOf(at) === nameOf(el)) : [];
  return twins.length > 1 ? `${attr(el, "aria-posinset")} of ${attr(el, "aria-setsize")}` : "";
}
