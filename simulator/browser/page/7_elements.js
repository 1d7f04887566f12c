// Single elements as an agent meets them: by kind, text or attribute; how to address each; and whether it can be acted on.

const KINDS = {
  button: BUTTONS + ",summary,input[type=reset]",
  input: "input:not([type=hidden])",
  link: "a[href],area[href],[role=link]",
  form: "form",
  field: FIELDS.replace("input", "input:not([type=hidden],[type=submit],[type=button],[type=image],[type=reset])"),
  text: "h1,h2,h3,h4,h5,h6,p,li,td,th,dt,dd,label,legend,caption,figcaption,blockquote,pre",
  checkbox: "input[type=checkbox],[role=checkbox],[role=switch]",
  radio: "input[type=radio],[role=radio]",
  select: "select,[role=combobox]:not(input),[role=listbox]:not(select)",
  image: "img,svg,[role=img],input[type=image]",
  div: "div",
  span: "span",
};
const DISABLED = (el) => el.matches(":disabled") || attr(el, "aria-disabled") === "true";
const EDITABLE = (el) => (el.isContentEditable || ["input", "textarea", "select"].includes(tagOf(el))) && !el.readOnly && attr(el, "aria-readonly") !== "true";
const shownValue = (el) => (isSecret(el) ? "" : cut(contentOf(el), LINE_TEXT));

// The elements by what they are called, of a role or by their labels: found once for all that are asked about.
function grouped(elements, key) {
  const groups = new Map();
  for (const el of elements) groups.set(key(el), [...(groups.get(key(el)) || []), el]);
  return groups;
}
const namedAlike = (role, name) => once("named", role, () => grouped(withRole(document, role).filter(visible), nameOf)).get(name) || [];
const labelKey = (el) => fold(labelOf(el)).toLowerCase();
const labelledAlike = (el) => once("labelled", document, () => grouped(all(document, FIELDS), labelKey)).get(labelKey(el)) || [];

// Ways to address an element that fit nothing else here, the ones that last longest first; its reference is the last.
function selectorsOf(el) {
  const found = [];
  const alone = (selector, elements) => elements.length === 1 && elements[0] === el && !selector.includes("{{") && found.push(selector);
  const css = (selector) => alone(selector, all(document, selector));
  const valued = (name, value) => `${tagOf(el)}[${name}=${stringify(value)}]`;
  for (const name of TEST_IDS) if (attr(el, name)) css(`[${name}=${stringify(attr(el, name))}]`);
  if (attr(el, "id")) css(`#${CSS.escape(attr(el, "id"))}`);
  if (attr(el, "name")) css(valued("name", attr(el, "name")));
  const role = roleOf(el);
  const name = nameOf(el);
  if (role && name && visible(el)) alone(`role=${role}[name=${stringify(name).includes('\\"') ? `'${name}'` : `"${name}"`}]`, namedAlike(role, name));
  if (el.matches(FIELDS) && labelOf(el)) alone(`label=${labelOf(el)}`, labelledAlike(el));
  if (attr(el, "placeholder")) css(valued("placeholder", attr(el, "placeholder")));
  if (el.hasAttribute("href") && cut(attr(el, "href"), 100) === attr(el, "href")) css(valued("href", attr(el, "href")));
  if (el.getRootNode() === document) css(cssPath(el));
  return [...new Set(found), `ref=${ref(el)}`];
}
function elementOf(el) {
  const selectors = selectorsOf(el);
  return {
    ref: ref(el), tag: tagOf(el), type: typeOf(el), role: roleOf(el), name: nameOf(el), text: textOf(el), placeholder: attr(el, "placeholder"),
    value: shownValue(el), href: el.hasAttribute("href") ? addressOf(el) : "", selector: selectors[0], selectors, visible: visible(el), enabled: !DISABLED(el),
  };
}
const ATTRIBUTES = 30;
function attributesOf(el) {
  const told = [...el.attributes].filter((one) => !(one.name === "value" && isSecret(el))).slice(0, ATTRIBUTES);
  return Object.fromEntries(told.map((one) => [one.name, cut(one.value, 200)]));
}
function elementInfo(el) {
  const form = formOf(el);
  const box = el.getBoundingClientRect();
  return {
    ...elementOf(el), label: labelOf(el), secret: isSecret(el), editable: EDITABLE(el) && !DISABLED(el), checked: !!el.checked,
    required: !!el.required || attr(el, "aria-required") === "true", focused: el === document.activeElement, attributes: attributesOf(el),
    options: tagOf(el) === "select" ? [...el.options].map((option) => fold(option.label)).slice(0, 100) : [], form: form && form !== el ? ref(form) : "",
    children: el.childElementCount, box: { x: box.x, y: box.y, width: box.width, height: box.height }, covered_by: coveredBy(el), error: errorOf(el),
  };
}

const holdsText = (el, text) => [nameOf(el), textOf(el), attr(el, "placeholder"), shownValue(el)].some((one) => one.toLowerCase().includes(text));
// How well an element's attributes fit: 2 where each has the whole value, 1 where one of them holds it, 0 where one does not.
function attributesFit(el, wanted) {
  return Math.min(...Object.entries(wanted).map(([name, value]) => {
    if (!el.hasAttribute(name) || (name === "value" && isSecret(el))) return 0;
    const has = attr(el, name);
    if (value === "" || has === value || (name === "class" && el.classList.contains(value))) return 2;
    return has.toLowerCase().includes(value.toLowerCase()) ? 1 : 0;
  }));
}
function withAttributes(wanted) {
  const found = all(document, Object.keys(wanted).map((name) => `[${CSS.escape(name)}]`).join(""));
  const fits = found.map((el) => [attributesFit(el, wanted), el]).filter(([fit]) => fit);
  return fits.sort(([one], [other]) => other - one).map(([, el]) => el);
}
function discovered({ kind, text, attributes }) {
  if (kind) return all(document, KINDS[kind]);
  if (attributes) return withAttributes(attributes);
  const controls = all(document.body, "*").filter((el) => !SILENT.has(tagOf(el)) && isControl(el, getComputedStyle(el)));
  if (text === undefined) return controls;
  const lower = fold(text).toLowerCase();
  const fits = new Set(controls.filter((el) => holdsText(el, lower)));
  // Of plain texts the innermost that holds all of it.
  const plain = all(document.body, "*").filter((el) => !SILENT.has(tagOf(el)) && fold(el.textContent).toLowerCase().includes(lower));
  const inner = plain.filter((el) => !plain.some((other) => other !== el && el.contains(other)) && ![el, ...ancestors(el)].some((at) => fits.has(at)));
  return [...fits, ...inner];
}
// The elements of a kind, with a text, or with attributes: as many as asked for, and how many there are.
const discover = remembering(({ visible_only, limit, ...wanted }) => {
  const kept = discovered(wanted).filter((el) => !visible_only || canBeMet(el));
  return { elements: kept.slice(0, limit).map(elementOf), total: kept.length };
});
const formElements = remembering(({ visible_only, limit }) => {
  const asked = all(document, "form").flatMap((form) => [...new Set([...form.elements, ...all(form, `${FIELDS},${BUTTONS}`)])]);
  const kept = [...new Set(asked)].filter((el) => el.type !== "hidden" && tagOf(el) !== "fieldset" && tagOf(el) !== "output" && (!visible_only || canBeMet(el)));
  const told = kept.slice(0, limit).map((el) => ({ ...elementOf(el), label: labelOf(el), form: formOf(el) ? formName(formOf(el)) || formShape(formOf(el)) : "" }));
  return { elements: told, total: kept.length };
});

// What is hit at the middle of a box; null where the middle is out of view.
function hitIn(box) {
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  let at = document.elementFromPoint(x, y);
  while (at?.shadowRoot) {
    const deeper = at.shadowRoot.elementFromPoint(x, y);
    if (!deeper || deeper === at) break;
    at = deeper;
  }
  return at;
}
const hitAt = (el) => hitIn(el.getBoundingClientRect());
// The middle of a row may be between two of its cells, where the table is hit: then a cell that holds nothing else to click.
function cellOf(row) {
  if (!hitAt(row)) row.scrollIntoView({ block: "center", behavior: "instant" });
  const at = hitAt(row);
  return (at && at !== row && holds(at, row) && [...row.children].find((cell) => !cell.querySelector(REACTING) && visible(cell))) || row;
}
// Where a pointer touches an element: the label of a box that its widget draws over, or keeps where no pointer comes; or
// what is drawn for it, where it has no label.
function touchOf(el) {
  const label = el.matches(TICKED_BOXES) && [...el.labels].find(visible);
  if (!label && isDrawnFor(el, hitAt(el))) return hitAt(el);
  if (!label) return getComputedStyle(el).display === "table-row" ? cellOf(el) : el;
  if (!hitAt(el)) el.scrollIntoView({ block: "center", behavior: "instant" });
  return hitAt(el) === el ? el : label;
}
// Where a text is typed: behind what a field holds, unless somebody is writing in it already.
function behind(el) {
  if (document.hasFocus() && focused() === el) return el;
  el.focus();
  if (focused() === el && EDITABLE(el)) getSelection().modify("move", "forward", "documentboundary");
  return el;
}
// The browser fills in a list, or a field of files, without the focus. With it the page hears that the field before was left:
// many a page takes a text only then, and draws its form again from what it has taken. What stands behind a widget, kept as a
// dot, nobody comes to. Returns whether the field is still what was proven; where not, and it is sought, it is found anew.
function comesTo(el) {
  if (el.checkVisibility({ visibilityProperty: true }) && el.offsetWidth > 2 && el.offsetHeight > 2) el.focus({ preventScroll: true });
  return el.isConnected && !(guard.armed?.sought && guard.armed.still());
}
// What lies over the middle of an element, in words; empty for nothing, or where the middle is out of view.
function coveredBy(el) {
  const at = hitAt(el);
  if (!at || holds(el, at) || holds(at, el) || isDrawnFor(el, at) || (tagOf(at) === "label" && at.control === el) || [...(el.labels || [])].some((label) => holds(label, at))) return "";
  return `${tagOf(at)}${attr(at, "id") ? `#${attr(at, "id")}` : ""} ${quoted(cut(textOf(at), 40))}`;
}
// The part of the page that lies over the middle of an element, by its role and name, or by what it says.
function coverOf(el) {
  const at = coveredBy(el) && hitAt(el);
  if (!at) return "";
  const parts = [at, ...ancestors(at)].filter((part) => !holds(part, el));
  const part = parts.find(isDialog) || parts.find((one) => roleOf(one) && nameOf(one)) || parts.find((one) => roleOf(one)) || parts.at(-1);
  return `${roleOf(part) || tagOf(part)} '${cut(nameOf(part) || textOf(part), 80)}'`;
}
// The dialogs that are open, by their names, or by what they say.
const DIALOGS = "dialog[open],[role=dialog],[role=alertdialog],.modal.show,.modal.in";
const dialogsOf = remembering(() => all(document, DIALOGS).filter(visible).slice(0, 4).map((el) => cut(nameOf(el) || fold(el.querySelector(HEADINGS)?.innerText) || fold(el.innerText), 120)).filter(Boolean));
// Of several that an agent's words fit, those in a dialog that keeps the user from all others: it says that it is modal, or
// lies over each of them. A person means what is in front; where nothing shows what is, all of them are given.
function inFront(found) {
  const dialogs = found.length > 1 ? all(document, DIALOGS).filter(visible).reverse() : [];
  for (const part of dialogs) {
    const inside = found.filter((el) => holds(part, el));
    if (!inside.length || inside.length === found.length) continue;
    if (part.matches("dialog:modal,[aria-modal=true]") || found.every((el) => inside.includes(el) || coveredBy(el))) return inside;
  }
  return found;
}
// The modal part that keeps the user from a field, in words; empty where there is none. Keys do not need the field to be hit
// where a pointer would hit it, so nobody else notices. What only looks modal and was opened by an act of ours keeps nobody off.
function shutOffBy(el) {
  if (!visible(el)) return ""; // a widget's own field, such as that of a file, may stand anywhere
  const words = (part) => `${roleOf(part) || tagOf(part)} ${quoted(cut(nameOf(part) || textOf(part), 80))}`;
  const modal = all(document, "dialog:modal").filter((part) => !holds(part, el)).at(-1);
  if (modal && ![...ancestors(el)].some((at) => at.matches("dialog:modal"))) return words(modal);
  const inert = [el, ...ancestors(el)].find((at) => at.inert);
  if (inert) return "what makes the page inert";
  const strange = all(document, "[aria-modal=true]").find((part) => visible(part) && isDialog(part) && !holds(part, el) && openedItself(part));
  if (!strange) return "";
  if (!hitAt(el)) el.scrollIntoView({ block: "center", behavior: "instant" });
  const over = hitAt(el);
  return over && !holds(el, over) && !holds(over, el) && liesOver(strange, over, el) ? words(strange) : "";
}
// Whether a modal part lies over a field, whoever opened it: nobody who looks at the page means that one. Where the field is
// out of view, what lies in the middle of the window lies over it, too. What has the focus takes keys under a calendar.
function isBehind(el) {
  const part = all(document, "dialog:modal,[aria-modal=true]").filter((at) => visible(at) && isDialog(at)).at(-1);
  if (!part || holds(part, el) || el === focused()) return false;
  const over = hitAt(el) || document.elementFromPoint(innerWidth / 2, innerHeight / 2);
  return !!over && !holds(el, over) && !holds(over, el) && liesOver(part, over, el);
}
// Why an element cannot be acted on now: "" when it can. `act`: "point", "type" or "look".
function obstacle(el, act) {
  if (!visible(el)) return "is not visible";
  if (act === "look") return "";
  if (DISABLED(el)) return "is disabled";
  const shut = shutOffBy(el);
  if (shut) return `is shut off by ${shut}`;
  if (act === "type") return EDITABLE(el) ? "" : el.readOnly || attr(el, "aria-readonly") === "true" ? "is read-only" : "is not editable";
  const over = coveredBy(el);
  return over ? `is covered by ${over}` : "";
}

// What a description fits, those that can be seen before the others.
function fitting(find) {
  const found = sought(find);
  const shown = found.filter(visible);
  return shown.length ? inFront(shown) : found;
}
// Read the one element that a description fits; of none or several, say so.
const READINGS = { info: elementInfo, html: (el) => htmlOf(el), obstacle: (el, act) => obstacle(el, act), value: shownValue, visible, frame: (el) => (frameBehind(controlOf(el)) ? ref(frameBehind(controlOf(el))) : "") };
const readOne = remembering((find, reading, ...more) => {
  const found = fitting(find);
  if (found.length === 1) return { read: READINGS[reading](found[0], ...more) };
  return { several: found.slice(0, 8).map((el) => `${brief(el)} (ref=${ref(el)})`), found: found.length };
});

// What a description in words may mean: everything that can be acted on, and headings, with the words around them.
const readCandidates = remembering((limit) => {
  const around = new Map();
  const cardOf = (el) => [...ancestors(el)].find((at) => CARD_TAGS.has(tagOf(at)) || CARD_ROLES.has(roleOf(at)));
  const near = (el) => {
    const card = cardOf(el);
    const form = formOf(el);
    const scope = card || form;
    if (scope && !around.has(scope)) around.set(scope, card ? textsOf(card) : [formName(form)]);
    return scope ? around.get(scope) : [];
  };
  const found = all(document.body, "*").filter((el) => !SILENT.has(tagOf(el)) && (el.matches(HEADINGS) || isControl(el, getComputedStyle(el))) && canBeMet(el));
  return found.slice(0, limit).map((el) => {
    const meant = tagOf(el) === "label" ? el.control : el;
    return {
      ref: ref(el), role: roleOf(meant) || "clickable", type: typeOf(meant), name: calledControl(meant) || calledControl(el), href: el.hasAttribute("href") ? addressOf(el) : "",
      hints: [labelOf(meant), attr(meant, "placeholder"), attr(meant, "title"), attr(meant, "name"), attr(meant, "id"), testIdOf(meant)].filter(Boolean), near: near(el),
    };
  });
});
