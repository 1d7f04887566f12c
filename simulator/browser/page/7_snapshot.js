// A page as an agent reads it whole: a tree of roles, names, states and texts, with references of what can be acted on.
// All that the page says stands in quotation marks, so that no text of a page can pass for a line of the tree.

const CONTROLS = [
  "a[href],area[href],button,input:not([type=hidden]),select,textarea,summary,[contenteditable=''],[contenteditable=true],[onclick],[tabindex]:not([tabindex^='-'])",
  ..."button link tab menuitem menuitemcheckbox menuitemradio option checkbox radio switch textbox searchbox combobox spinbutton slider treeitem".split(" ").map((role) => `[role=${role}]`),
].join();
// What only its pointer distinguishes from plain text, and a label whose box or list cannot be seen, are controls too.
// The label of a text field that cannot be seen heads what a script has put in its place. A frame is none, though it may
// have the focus: what is in it is.
function isControl(el, style) {
  if (tagOf(el) === "iframe") return false;
  if (el.matches(CONTROLS)) return !el.closest("select") || tagOf(el) === "select";
  if (tagOf(el) === "label") return !!el.control && el.control.type !== "file" && !visible(el.control) && !takesText(el.control);
  if (style.cursor !== "pointer" || el === document.body || el.closest("label")) return false;
  const parent = parentOf(el);
  return !!parent && getComputedStyle(parent).cursor !== "pointer";
}
const canBeMet = (el) => visible(el) || (el.type === "file" && tagOf(el) === "input" && [...el.labels].some(visible));

const STRUCTURE = words(
  "alert alertdialog article banner blockquote cell columnheader complementary contentinfo dialog feed figure form grid gridcell group heading list listbox listitem log main menu " +
    "menubar navigation progressbar meter radiogroup region row rowheader search status table tablist tabpanel timer toolbar tooltip tree treegrid term definition",
);
// Parts that one can ask to read alone.
const PARTS = words("article banner complementary contentinfo dialog alertdialog form main navigation region search table grid treegrid tabpanel tree");
const LOOSE = words("list listitem group cell gridcell definition term figure tablist menu menubar toolbar radiogroup"); // say nothing around a single thing
const CAPTIONS = "legend,caption,figcaption";
const LINE_TEXT = 400;

const quoted = (text) => stringify(text.length > LINE_TEXT ? `${cut(text, LINE_TEXT)}…` : whole(text));
const titled = (el) => [attr(el, "title"), attr(el, "alt"), attr(el, "aria-label")].map(fold).find(Boolean) || "";
// What a control is called, also one that is hidden from assistive technology.
const calledControl = (el) => nameOf(el) || (tagOf(el) === "label" ? "" : titled(el)) || textOf(el) || fold([...el.querySelectorAll("img[alt]")].map((img) => img.alt).join(" "));

function stateMarksOf(el) {
  const says = (name) => attr(el, `aria-${name}`);
  const box = el.type === "checkbox" || el.type === "radio";
  const states = [];
  if (box ? el.checked : says("checked") === "true") states.push("checked");
  if (says("checked") === "mixed" || (box && el.indeterminate)) states.push("mixed");
  if (el.matches(":disabled") || says("disabled") === "true") states.push("disabled");
  if (says("expanded")) states.push(says("expanded") === "true" ? "expanded" : "collapsed");
  else if (tagOf(el) === "summary" && el.parentElement) states.push(el.parentElement.open ? "expanded" : "collapsed");
  if (says("pressed") === "true") states.push("pressed");
  if (says("selected") === "true") states.push("selected");
  if (says("current") && says("current") !== "false") states.push("current");
  if (el.required || says("required") === "true") states.push("required");
  if (el.readOnly && tagOf(el) !== "button") states.push("readonly");
  if (says("invalid") === "true") states.push("invalid");
  if (el === document.activeElement && (el !== document.body || document.hasFocus())) states.push("focused");
  return states;
}
// What stands in a field. Of a secret one only whether anything does.
function contentOf(el) {
  if (isSecret(el)) return el.value ? "filled" : "";
  if (tagOf(el) === "select") return [...el.selectedOptions].map((option) => fold(option.label)).join(", ");
  if (el.type === "file") return [...(el.files || [])].map((file) => file.name).join(", ");
  if (["checkbox", "radio", "submit", "button", "reset", "image"].includes(el.type)) return "";
  if (isPicker(el) && !takesText(el) && !el.matches(STANDS_OPEN)) return textOf(el) === nameOf(el) ? "" : textOf(el);
  return tagOf(el) === "input" || tagOf(el) === "textarea" ? el.value : el.isContentEditable ? textOf(el) : fold(attr(el, "aria-valuetext") || attr(el, "aria-valuenow"));
}
const TYPES = words("date datetime-local time month week color file email number tel url");
const VALUED = words("textbox searchbox combobox listbox spinbutton slider");
const OPTIONS = 30;
const addressOf = (el) => {
  const given = attr(el, "href");
  if (given.startsWith("#")) return cut(given, 200);
  try {
    return cut(hereOf(new URL(given, document.baseURI).href), 200);
  } catch {
    return cut(given, 200);
  }
};
// Something that reacts as a whole and is no control by its nature, such as a card or a region that scrolls, has no
// name that sums up what is in it.
const isCase = (el, role) => el.childElementCount > 0 && !FROM_CONTENT.has(role) && !VALUED.has(role) && role !== "img";
function controlNode(el, meant, role) {
  const name = isCase(meant, role) ? nameOf(meant) || titled(meant) : calledControl(meant) || calledControl(el);
  const marks = [...(TYPES.has(meant.type) && tagOf(meant) === "input" ? [meant.type] : []), ...(isSecret(meant) ? ["secret"] : []), ...stateMarksOf(meant)];
  const hint = fold(attr(meant, "placeholder"));
  const content = cut(contentOf(meant), LINE_TEXT);
  let line = (role || "clickable") + (name ? ` ${quoted(name)}` : "") + marks.map((mark) => ` [${mark}]`).join("") + ` [ref=${ref(el)}]`;
  if (el.hasAttribute("href")) line += ` -> ${addressOf(el).replace(/\s/g, "%20")}`;
  if (content) line += isSecret(meant) ? " (filled)" : `: ${quoted(content)}`;
  else if (hint && hint !== name) line += ` (placeholder ${quoted(hint)})`;
  if (hintOf(meant)) line += ` (title ${quoted(hintOf(meant))})`;
  const children = [];
  if (tagOf(meant) === "select") {
    const labels = [...meant.options].filter((option) => !option.disabled).map((option) => quoted(fold(option.label)));
    const more = labels.length > OPTIONS ? ` and ${labels.length - OPTIONS} more` : "";
    children.push({ line: `options: ${labels.slice(0, OPTIONS).join(" | ")}${more}`, children: [] });
  }
  // What a label of its own hides of a control's text.
  const text = labelled(meant) && !isCase(meant, role) && !VALUED.has(role) ? textOf(meant) : "";
  if (text && !name.includes(text)) children.push({ line: quoted(text), children: [] });
  return { line, children, el, control: true };
}

function flush(level) {
  const text = fold(level.text);
  level.text = "";
  if (text) level.nodes.push({ line: quoted(text), children: [], text });
}
// `quiet`: only what can be acted on is listed; the words stand elsewhere or are hidden from assistive technology.
function treeOf(node, level, quiet, shown) {
  if (node.nodeType === 3) {
    if (!quiet && shown) level.text += node.data;
    return;
  }
  if (node.nodeType !== 1 || SILENT.has(tagOf(node))) return;
  const style = getComputedStyle(node);
  if (style.display === "none" && node.type !== "file") return;
  const contents = style.display === "contents";
  if (!contents && node.type !== "file" && !node.checkVisibility({ contentVisibilityAuto: false })) return;
  const seen = style.visibility === "visible";
  const block = !contents && !style.display.startsWith("inline");
  if (block) flush(level);
  else if (tagOf(node) === "br") level.text += " ";
  const hushed = quiet || attr(node, "aria-hidden").toLowerCase() === "true";
  if ((seen || node.type === "file") && isControl(node, style) && canBeMet(node)) {
    flush(level);
    const meant = tagOf(node) === "label" ? node.control : node;
    const role = roleOf(meant) || (meant.isContentEditable ? "textbox" : "");
    const made = controlNode(node, meant, role);
    if (tagOf(node) !== "select") nodesIn(node, made.children, hushed || !isCase(meant, role), seen);
    level.nodes.push(made);
  } else if (tagOf(node) === "iframe") {
    flush(level);
    if (seen && visible(node)) level.nodes.push({ line: `iframe ${quoted(titled(node) || attr(node, "name") || hereOf(node.src))}`, children: [], frame: node });
  } else {
    const role = hushed || !seen ? "" : roleOf(node);
    if (role === "img") {
      flush(level);
      const name = nameOf(node);
      if (name) level.nodes.push({ line: `img ${quoted(name)}`, children: [] });
    } else if (STRUCTURE.has(role)) {
      flush(level);
      level.nodes.push(...structureNode(node, role, nodesIn(node, [], hushed, seen)));
    } else {
      // A label says what its control is called; so do captions.
      const told = (tagOf(node) === "label" && node.control && (visible(node.control) || !takesText(node.control))) || (node.matches(CAPTIONS) && nameOf(node.parentElement));
      inside(node, level, hushed || !!told, seen);
    }
  }
  if (block) flush(level);
}
function inside(el, level, quiet, shown) {
  const assigned = tagOf(el) === "slot" ? el.assignedNodes() : [];
  for (const node of assigned.length ? assigned : (el.shadowRoot || el).childNodes) treeOf(node, level, quiet, shown);
}
function nodesIn(el, nodes, quiet, shown) {
  const level = { nodes, text: "" };
  inside(el, level, quiet, shown);
  flush(level);
  return nodes;
}
function structureNode(el, role, nodes) {
  const name = FROM_CONTENT.has(role) ? "" : nameOf(el);
  if (role === "row" && nodes.every((cell) => cell.cell !== undefined)) {
    return nodes.length ? [{ line: `row ${quoted(nodes.map((cell) => cell.cell).join(" | "))}`, children: [] }] : [];
  }
  if (!nodes.length && !name && role !== "cell") return [];
  if (!name && nodes.length === 1 && LOOSE.has(role) && nodes[0].text === undefined) return nodes;
  const level = role === "heading" ? ` [level=${attr(el, "aria-level") || tagOf(el).slice(1)}]` : "";
  const value = RANGES.has(role) ? fold(attr(el, "aria-valuetext") || attr(el, "aria-valuenow") || String(el.value ?? "")) : "";
  const texts = nodes.length && nodes.every((node) => node.text !== undefined) ? nodes.map((node) => node.text).join(" ") : "";
  const line = `${role}${name ? ` ${quoted(name)}` : ""}${level}${value ? `: ${quoted(value)}` : ""}`;
  const cell = ["cell", "gridcell", "columnheader", "rowheader"].includes(role) && (texts || !nodes.length) ? texts : undefined;
  if (texts && nodes.length === 1) return [{ line: `${line} ${quoted(texts)}`, children: [], cell }];
  return [{ line, children: nodes, el, part: PARTS.has(role), cell }];
}

const countLines = (nodes) => nodes.reduce((sum, node) => sum + 1 + countLines(node.children), 0);
const onlyControls = (nodes) => nodes.map((node) => ({ ...node, children: onlyControls(node.children) })).filter((node) => node.control || node.frame || node.children.length);

// The tree below an element: its lines as far as they fit, how many there are in all, and where frames stand among them.
const readTree = remembering((from, depth, limit, interactive, indent) => {
  const root = from ? refs.get(from)?.deref() : document.body;
  if (!root || !root.isConnected) return null;
  const level = { nodes: [], text: "" };
  // The whole document of a frame may be an editor for texts.
  if (from || root.matches(EDITOR)) treeOf(root, level, false, true);
  else nodesIn(root, level.nodes, false, true);
  flush(level);
  const nodes = interactive ? onlyControls(level.nodes) : level.nodes;
  const lines = [];
  const frames = [];
  let size = 0;
  let left = 0;
  const print = (node, at) => {
    const deep = at + 1 >= depth && node.children.length > 0;
    let line = `${"  ".repeat(indent + at)}- ${node.line}`;
    if (node.frame || ((node.part || deep) && node.el && !node.control)) line += ` [ref=${ref(node.frame || node.el)}]`;
    if (deep) line += ` (${countLines(node.children)} lines inside)`;
    size += line.length + 1;
    if (size > limit) {
      left += 1 + countLines(node.children);
      return;
    }
    lines.push(line);
    if (node.frame) frames.push({ ref: ref(node.frame), line: lines.length, depth: at + 1 });
    if (!deep) for (const child of node.children) print(child, at + 1);
  };
  for (const node of nodes) print(node, 0);
  return { lines, left, frames };
});
