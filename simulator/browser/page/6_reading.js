// What an agent reads of a page: forms, links, text; and the short-lived references that address what was read.

const refs = new Map();
const refOf = new WeakMap();
let refCount = 0;
function ref(el) {
  if (!refOf.has(el)) {
    const key = `e${++refCount}`;
    refOf.set(el, key);
    refs.set(key, new WeakRef(el));
  }
  return refOf.get(el);
}

const refFor = (el) => refOf.get(el) || "";

// What a sign stands for that is no word: of an icon font, for example.
const hintOf = (el) => (/[\p{L}\p{N}]/u.test(nameOf(el).replace(/\p{Co}/gu, "")) ? "" : cut(fold(attr(el, "title")), 120));
const BUTTONS = "button,input[type=submit],input[type=image],input[type=button],[role=button]";
// An editor of rich text may draw a frame in the place of a field, whose document is written in: behind it, or around it.
const WRITTEN_IN = 3; // elements behind a field in which its frame is sought
function frameBehind(el) {
  if (tagOf(el) !== "textarea" || visible(el)) return null;
  const beside = [];
  for (let at = el; beside.length < WRITTEN_IN && (at = at.nextElementSibling || null); ) beside.push(at);
  const found = beside.flatMap((at) => (tagOf(at) === "iframe" ? [at] : all(at, FIELDS).some(visible) ? [] : all(at, "iframe"))).filter((at) => visible(at) && writtenIn(at.contentDocument));
  return found.length === 1 ? found[0] : null;
}
const writtenIn = (inner) => (inner?.body?.isContentEditable ? inner.body : null);
const readEditor = () => (writtenIn(document) ? { ref: ref(document.body), set: !!fold(document.body.innerText) } : null);
function readField(el) {
  const frame = frameBehind(el);
  const drawn = ["radio", "checkbox", "switch"].includes(givenRole(el)) ? givenRole(el) : "";
  const behind = listBehind(el);
  const list = tagOf(el) === "select" ? el : behind;
  const options = list ? [...list.options].filter((option) => !option.disabled) : [];
  const group = el.type === "radio" || el.type === "checkbox" || drawn === "radio" ? el.closest("fieldset,[role=radiogroup],[role=group]") : null;
  return {
    ref: ref(el), tag: tagOf(el), type: drawn || typeOf(el), role: roleOf(el), name_attr: attr(el, "name"), id: el.id || "", label: isLabelled(el) ? labelOf(el) : (behind && labelOf(behind)) || "",
    placeholder: el.getAttribute("placeholder") || "", autocomplete: el.getAttribute("autocomplete") || "",
    required: !!(list || el).required || el.getAttribute("aria-required") === "true", value_set: list ? list.selectedIndex > 0 : !!el.value,
    checked: !!el.checked || attr(el, "aria-checked") === "true", picker: (isPicker(el) || !!behind) && !opensDialog(el), listed: !!behind, several: !!(list || el).multiple, value: el.type === "radio" || el.type === "checkbox" ? el.value : "",
    options: offersNothing(list) ? [] : options.map((option) => [option.value, fold(option.label)]),
    group: group ? nameOf(group) || fold(group.querySelector("legend")?.textContent) : "", accept: el.getAttribute("accept") || "",
    min: el.getAttribute("min") || "", max: el.getAttribute("max") || "", maxlength: el.maxLength > 0 ? el.maxLength : 0, error: errorOf(el), minlength: el.minLength > 0 ? el.minLength : 0, pattern: attr(el, "pattern"), step: attr(el, "step"),
    hidden: !frame && (!isInReach(el) || isDecoy(el) || isStoodInFor(el)), frame: frame ? ref(frame) : "", secret: isSecret(el), caption: captionOf(el),
    refusal: el.willValidate && !el.form?.noValidate && !el.validity.valid ? cut(fold(el.validationMessage), 200) : "",
    text: takesText(el) && !isSecret(el) ? cut(el.value, 200) : "", help: helpOf(el),
  };
}
// What is said of what goes into a field to write in: its title, what describes it, and the words of the part of the page
// that has no other field.
function helpOf(el) {
  if (tagOf(el) !== "input" || !takesText(el) || isSecret(el)) return "";
  let part = el;
  while (part.parentElement && !bounds(part.parentElement, el) && !hasAnother(part.parentElement, el)) part = part.parentElement;
  const said = [attr(el, "title"), ...refsOf(el, "aria-describedby").map((one) => one.textContent), part === el ? "" : saidIn(part)];
  return cut(fold(said.join(" ")), 400);
}
// What opens a dialog beside its field, as a calendar, helps to write into it: it offers no options of a list.
const opensDialog = (el) => takesText(el) && attr(el, "aria-haspopup") === "dialog";
// A field to write in that nobody sees, although it is drawn: beside the page, or transparent. Boxes and lists are styled so.
const takesText = (el) => tagOf(el) === "textarea" || (tagOf(el) === "input" && /^(?:text|search|email|tel|url|number|password)$/.test(el.type));
function isDecoy(el) {
  if (!takesText(el) || isPicker(el)) return false;
  const box = el.getBoundingClientRect();
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || !el.checkVisibility({ opacityProperty: true });
}
// A drawing without words in a box of a form that says something and asks nothing is the box's own: what closes a hint.
function isOfBox(el) {
  const form = formOf(el);
  if (!form || hasWords(nameOf(el))) return false;
  const box = [...ancestors(el)].filter((at) => at !== form && holds(form, at) && !all(at, FIELDS).length).pop();
  return !!box && hasWords(fold(box.innerText));
}
const readSubmit = (el) => ({ ref: ref(el), name: nameOf(el), boxed: isOfBox(el) });
// Buttons that may send a form although they are none of its submit buttons, as scripts have them: those in it that send
// nothing by themselves, then those of each larger part around it, up to the dialog that it stands in, or to a part that
// holds another form without a button. What stands in a dialog or a card that the form is not in speaks of something else.
function buttonsAround(form, own) {
  const seen = new Set(own);
  const parts = [];
  const apart = (el) => [cardAround(el), closest(el, DIALOGS)].some((at) => at && !holds(at, form));
  const others = all(document, "form").filter((one) => one !== form && visible(one) && !submitsOf(one).length);
  for (const part of [form, ...ancestors(form)]) {
    if (part !== form && (roleOf(form) === "search" || others.some((one) => holds(part, one)))) break;
    const more = all(part, BUTTONS).filter((el) => !seen.has(el) && visible(el) && !el.disabled && el.type !== "reset" && !leadsAway(el) && (formOf(el) || form) === form && !apart(el));
    for (const el of more) seen.add(el);
    if (more.length || part === form) parts.push(more.map(readSubmit));
    if (part instanceof Element && part.matches(DIALOGS)) break;
  }
  return parts;
}
// What says that it opens a part of the page sends nothing.
const opensPart = (el) => el.hasAttribute("aria-expanded") || !["", "false"].includes(attr(el, "aria-haspopup"));
// What a script draws as a button sends nothing by itself: where the form has buttons of the browser's own, it is a tool of
// one of its parts, as of an editor.
const isNative = (el) => ["button", "input"].includes(tagOf(el));
const submitsOf = (form) => {
  const found = [...new Set([...form.elements, ...all(form, BUTTONS)].filter((el) => el.matches(BUTTONS) && visible(el)))];
  const sending = found.filter((el) => el.type !== "button" && el.type !== "reset" && !el.disabled && !leadsAway(el) && !opensPart(el));
  return found.some(isNative) ? sending.filter(isNative) : sending;
};
const fieldsWithin = (part) => all(part, `${FIELDS},${OPENS_LIST},[role=listbox]:not(select)`).filter(isFieldLike);
const FILLABLE = (el) => isFieldLike(el) && !(tagOf(el) === "input" && ["hidden", "submit", "image", "button", "reset"].includes(el.type)) && !el.disabled && (visible(el) || el.type === "file" || el.labels?.length);
const formRead = (form, fields, own, beside, sent) => {
  const heading = all(form, HEADINGS + ",legend").find(visible) || headingBefore(document, form);
  return { ref: ref(form), name: formName(form), ...sent, heading: heading ? fold(heading.textContent) : "", fields: fields.map(readField), submits: own.map(readSubmit), beside };
};
function readForms() {
  const forms = all(document, "form").filter((form) => visible(form) || all(form, FIELDS).some(visible));
  const read = forms.flatMap((form) => {
    const own = submitsOf(form);
    const fields = asDrawn([...new Set([...form.elements, ...fieldsWithin(form)])].filter(FILLABLE));
    const sent = { action: shapeOf(form.getAttribute("action") || location.href), method: (form.getAttribute("method") || "get").toLowerCase() };
    const parts = entriesOf(own, fields, form);
    if (parts.length) return parts.map((part, at) => formRead(part, fields.filter((el) => holds(part, el)), [own[at]], [], sent));
    return [formRead(form, fields, own, buttonsAround(form, own), sent)];
  });
  return [...read, ...looseForms()];
}
// Fields that stand in no form are one with the buttons of the smallest part of the page that has both, as scripts have it:
// a dialog, a section, a box. What stands in a box of its own within such a part belongs to it (a day with its calendar), but
// for what HTML calls a part of its own. Boxes to tick alone, as the rows of a list have them, are none.
const APART = `section,article,aside,nav,header,footer,li,tr,[role=form],[role=search],[role=region],[role=row],[role=listitem]`;
const asksText = (el) => takesText(el) || isPicker(el) || ["select", "textarea"].includes(tagOf(el)) || el.isContentEditable;
const LOOSE_FORMS = 20;
function looseForms() {
  const loose = asDrawn(fieldsWithin(document).filter((el) => !formOf(el) && FILLABLE(el)));
  if (!loose.some(asksText)) return [];
  const buttons = all(document, BUTTONS).filter((el) => !formOf(el) && visible(el) && !leadsAway(el) && fold(nameOf(el)));
  const near = (el, part) => buttons.filter((one) => holds(part, one) && ![cardAround(one), closest(one, DIALOGS)].some((at) => at && holds(part, at) && at !== part && !holds(at, el)));
  const partOf = (el) => [...ancestors(el)].find((at) => near(el, at).length || at.matches(`${DIALOGS},[role=form],[role=search]`)) || null;
  const parts = new Map();
  for (const el of loose) {
    const part = partOf(el);
    if (part) parts.set(part, [...(parts.get(part) || []), el]);
  }
  const outer = (part) => [...parts.keys()].find((at) => at !== part && holds(at, part) && ![part, ...ancestors(part)].some((one) => one !== at && holds(at, one) && one.matches(`${DIALOGS},${APART}`)));
  for (const part of [...parts.keys()]) {
    const around = outer(part);
    if (!around) continue;
    parts.set(around, [...parts.get(around), ...parts.get(part)]);
    parts.delete(part);
  }
  return [...parts].filter(([, fields]) => fields.some(asksText)).slice(0, LOOSE_FORMS).map(([part, fields]) => {
    const others = [...parts.keys()].filter((at) => at !== part);
    const beside = [];
    const seen = new Set();
    for (const at of [part, ...ancestors(part)]) {
      if (at !== part && others.some((one) => holds(at, one) && !holds(part, one) && !holds(one, part))) break;
      const more = near(fields[0], at).filter((one) => !seen.has(one) && !others.some((other) => !holds(other, part) && holds(other, one)));
      for (const one of more) seen.add(one);
      if (more.length || at === part) beside.push(more.map(readSubmit));
      if (at instanceof Element && at.matches(`${DIALOGS},[role=search]`)) break;
    }
    return formRead(part, fields.sort(inOrder), [], beside, { action: shapeOf(location.href), method: "" });
  });
}
const inOrder = (one, other) => (precedes(one, other) ? -1 : 1);
const isOfList = (at) => CARD_TAGS.has(tagOf(at)) || CARD_ROLES.has(roleOf(at));
const cardAround = (el) => [...ancestors(el)].find(isOfList);
// Whether nothing around an element is about something else than the page: an item of a toolbar shows that element alone,
// and the only article of a page that is about one thing holds the page's first heading.
const ARTICLES = "article,[role=article]";
function isOfPage(el) {
  const own = new Set(textsOf(el));
  const isItem = (at) => textsOf(at).every((text) => own.has(text));
  return [...ancestors(el)].filter(isOfList).every((at) => isItem(at) || isWholePage(at));
}
const isWholePage = (at) => once("whole", at, () => {
  const first = all(document, HEADINGS).find((el) => visible(el) && !closest(el, EDGES));
  const beside = (other) => visible(other) && !holds(at, other) && !holds(other, at);
  return at.matches(ARTICLES) && !!first && holds(at, first) && !all(document, ARTICLES).some(beside);
});
function readLinks() {
  return withRole(document, "link").filter(visible).slice(0, 300).map((el) => {
    const card = cardAround(el);
    return { ref: ref(el), name: nameOf(el), href: addressLed(el), card: card ? textsOf(card) : [], own: !!card && isOfPage(el) };
  });
}
// The link that shows an address, or another one whose path begins alike up to what is sought, with its evidence; null
// where no link does that is distinguished from all others.
const linkTo = remembering((address, stem) => {
  const sought = new URL(address, document.baseURI);
  const tells = (el) => el.href === sought.href || (stem && el.origin === sought.origin && `${el.pathname}/`.startsWith(`${stem}/`));
  const unlike = (el) => (el.href === sought.href ? 0 : 1e6) + (/\d/.test(nameOf(el)) ? 1e3 : 0) + el.href.length;
  const links = apart(all(document, "a[href]").filter((el) => visible(el) && tells(el))).sort((one, other) => unlike(one) - unlike(other));
  const told = links.find((el) => describe(el).alike.role_name === 1 || describe(el).alike.role_name_scoped === 1);
  return told ? { evidence: describe(told), href: hereOf(told.href) } : null;
});
// What a script has made a link has no address, and one in a drawing has another kind of it.
function addressLed(el) {
  const to = typeof el.href === "string" ? el.href : el.href?.baseVal;
  return to && URL.canParse(to, document.baseURI) ? hereOf(new URL(to, document.baseURI).href) : to || "";
}
const hereOf = (href) => (href.startsWith(location.origin + "/") ? href.slice(location.origin.length) : href);
// What says of itself that it opens something, in the ways that pages have for it.
const MENU_OPENERS = "summary,[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded],[aria-controls],[popovertarget],[data-toggle],[data-bs-toggle],a[href='#']";
const opensMenus = (el) => visible(el) && !el.disabled && /^(?:button|link|menuitem|)$/.test(roleOf(el)) && !takesText(el);
// The control that stands before a part of the page that is closed, and opens it; null where none shows that it does.
function openerOf(el) {
  const plain = plainOpenerOf(el);
  for (const at of ancestors(el)) {
    if (plain && holds(at, plain)) return plain;
    const before = all(at, MENU_OPENERS).filter((one) => precedes(one, el) && opensMenus(one) && !holds(one, el));
    if (before.length) return before.at(-1);
  }
  return null;
}
// What says of nothing but its pointer that it can be pressed, and stands right before the part that is closed: many a page
// draws its menus so.
function plainOpenerOf(el) {
  const closed = [el, ...ancestors(el)].filter((at) => !visible(at) && at.parentElement && visible(at.parentElement))[0];
  const before = closed?.previousElementSibling;
  const inert = before && !reacts(before) && !before.querySelector(ACTIONABLE) && !closest(before, "form,label,a,button");
  return inert && visible(before) && textOf(before) && isPointed(before) && !isPointed(before.parentElement) ? before : null;
}
// The links and buttons of menus that are closed, with what opens each; after them, without a name, the openers of menus
// that are not in the page before they are opened, the last first: there an account's stands.
const closedItems = () => [...withRole(document, "link"), ...all(document, BUTTONS)].filter((el) => !visible(el)).slice(0, 200);
function readClosedMenus() {
  const items = closedItems().map((el) => ({ name: nameOf(el) || fold(el.textContent), opener: openerOf(el) })).filter((item) => item.name && item.opener);
  const known = new Set(items.map((item) => item.opener));
  const others = all(document, "[aria-haspopup=menu],[aria-haspopup=true]").filter((el) => opensMenus(el) && !known.has(el)).reverse();
  return [...items, ...others.slice(0, 3).map((opener) => ({ name: "", opener }))].map((item) => ({ ...item, opener: ref(item.opener) }));
}
// Menus that are closed. Those of the site (its account, its navigation) stand outside of what the page is about. A part
// that leads on within that (`nav`) may hold what is done with one thing, or be the site's: other pages show which.
const CLOSED_MENUS = "summary,[aria-haspopup=true],[aria-haspopup=menu],[aria-expanded=false]";
// A link may lead on where no script opens its menu; it counts where what it opens is in the page.
const opensMenu = (el) => el.matches(CLOSED_MENUS) && opensMenus(el) && (!leadsAway(el) || el.matches("[aria-haspopup=true],[aria-haspopup=menu],[data-toggle=dropdown],[data-bs-toggle=dropdown]")) && attr(el, "aria-expanded") !== "true" && !(tagOf(el) === "summary" && el.parentElement?.open);
const ABOUT = "main,[role=main],article,dialog,[role=dialog]";
const whoseMenu = (el) => {
  if (closest(el, "[role=banner],[role=contentinfo]") || (closest(el, "header,footer") && !closest(el, ABOUT))) return "site";
  if (!closest(el, "nav,[role=navigation]")) return "page";
  return closest(el, ABOUT) || !all(document, "main,[role=main]").some(visible) ? "part" : "site";
};
function readButtons() {
  const plain = new Set(closedItems().map(plainOpenerOf).filter(Boolean));
  const opening = (el) => plain.has(el) || opensMenu(el);
  const isButton = (el) => el.matches(`${BUTTONS},[role=menuitem]`);
  const stated = all(document, `${BUTTONS},[role=menuitem],${CLOSED_MENUS}`).filter((el) => visible(el) && (isButton(el) || opensMenu(el)));
  const some = [...new Set([...stated, ...plain])].sort(inOrder).slice(0, 200);
  const closed = some.some(opening) ? readClosedMenus() : [];
  const heldBy = (el) => closed.filter((item) => item.name && item.opener === refFor(el)).map((item) => item.name);
  return some.filter((el) => !leadsAway(el) || heldBy(el).length || isButton(el)).map((el) => {
    const opens = opening(el) ? whoseMenu(el) : "";
    const card = textsOfCard(el);
    return { ref: ref(el), name: nameOf(el) || (plain.has(el) ? textOf(el) : ""), title: hintOf(el), disabled: !!el.disabled, pressed: el.getAttribute("aria-pressed") || "", form: formOf(el) ? ref(formOf(el)) : "", card, own: !!cardAround(el) && isOfPage(el), opens, holds: opens ? heldBy(el) : [] };
  });
}
const textsOfCard = (el) => {
  const card = cardAround(el);
  return card ? textsOf(card) : [];
};
function readText(limit) {
  const text = whole(shownText(document.body)).replace(/[ \t\u00a0]+/g, " ").replace(/\n\s*\n+/g, "\n").trim();
  return { text: cut(text, limit), total: text.length };
}

// The elements that an agent's words fit: visible text or accessible name, the exact ones first.
function wordsFit(words) {
  const sought = fold(words);
  const lower = sought.toLowerCase();
  const pool = all(document, `${ACTIONABLE},label`).filter((el) => tagOf(el) !== "option" && visible(el));
  const names = pool.map((el) => [el, [nameOf(el), textOf(el), labelOf(el), hintOf(el)].map(fold)]);
  const calledSo = (fits) => outermost(names.filter(([, texts]) => texts.some(fits)).map(([el]) => el));
  for (const fits of [(name) => name === sought, (name) => name.toLowerCase() === lower]) {
    const found = calledSo(fits);
    if (found.length) return found;
  }
  const texts = plainTexts(sought);
  // What only its pointer distinguishes from plain text says just these words, or its tooltip does; a control may say more.
  const hinted = all(document.body, "[title],[aria-label]").filter((el) => visible(el) && titled(el).toLowerCase() === lower);
  const pointed = innermost([...texts, ...hinted].filter((el) => isPointed(el) && !isPointed(document.body) && actionableOf(el) === el));
  const among = pointed.length || lower.length < 3 ? pointed : calledSo((name) => name.toLowerCase().includes(lower));
  // A box may choose the row in which the words stand: they alone do not tick it.
  const partly = texts.length && !pointed.length ? among.filter((el) => !isTicked(controlOf(el))) : among;
  return partly.length ? partly : texts;
}
const isPointed = (el) => getComputedStyle(el).cursor === "pointer";
// The innermost elements that show just these words, whatever the case: beside a drawing, or with some of them in bold.
function plainTexts(text) {
  const [lower, letters] = [text.toLowerCase(), squeezed(text)];
  const holding = all(document.body, "*").filter((el) => !SILENT.has(tagOf(el)) && squeezed(el.textContent).includes(letters));
  const found = holding.filter((el) => visible(el) && fold(el.innerText ?? el.textContent).toLowerCase() === lower);
  return innermost(found);
}
// A label and its control, or a button and the word in it, are one thing.
function outermost(elements) {
  const set = new Set(elements);
  const labels = elements.filter((el) => tagOf(el) === "label" && set.has(el.control));
  for (const label of labels) set.delete(isTucked(label.control) || label.hasAttribute("role") ? label.control : label);
  return [...set].filter((el) => ![...ancestors(el)].some((at) => set.has(at)));
}
// A widget draws a box of its own, and keeps the real one where no pointer comes; or its label is the widget, an option say.
const isTucked = (control) => [control, ...ancestors(control)].slice(0, 3).some((at) => {
  const box = at.getBoundingClientRect();
  return box.width <= 2 && box.height <= 2 && (at === control || getComputedStyle(at).overflow !== "visible");
});
// What a script draws that is set by keys or by a pointer alone.
const SET_BY_KEYS = "[role=slider],[role=spinbutton]";
// The fields of a label; where there are none, those that show it beside them, as a cell before a cell does; then those that
// show it while they are empty. A sign behind it, by which a page says that a field is required, is no part of what a person
// calls it: it counts only where two fields differ by nothing else.
const AFTER_LABELS = /[\s*∗✱:：]+$/u;
function fieldsOf(label) {
  const wanted = fold(label).toLowerCase();
  const bare = (text) => text.replace(AFTER_LABELS, "");
  const called = (name, as) => all(document, `${FIELDS},${OPENS_LIST},${STANDS_OPEN}`).filter((el) => as(fold(name(el)).toLowerCase()) === as(wanted) && !isOpenerOfAnother(el));
  for (const name of [labelOf, captionOf, (el) => attr(el, "placeholder")]) {
    for (const as of [(text) => text, bare]) {
      const found = as(wanted) ? called(name, as).filter((el) => !isBehind(el)) : [];
      if (found.length) return oneOfEach(found);
    }
  }
  return all(document, SET_BY_KEYS).filter((el) => fold(labelOf(el)).toLowerCase() === wanted);
}
function sought(find) {
  switch (find.how) {
    case "css": {
      const found = all(document, find.value);
      return found.length ? found : across(find.value);
    }
    case "text":
      return wordsFit(find.value);
    case "role":
      return withRole(document, find.value).filter((el) => isInReach(el) && (!find.name || nameOf(el) === fold(find.name)));
    case "label":
      return fieldsOf(find.value);
    case "ref":
      return [refs.get(find.value)?.deref()].filter((el) => el && el.isConnected);
    case "point":
      return [atPoint(find.value)].filter(Boolean);
    default:
      return [focused()].filter(Boolean);
  }
}
// The field that one writes in is left: what the page does with its text then comes of what the user did.
function leaveField() {
  const at = focused();
  if (at && takesText(at)) {
    derive();
    at.blur();
  }
  return attr(document.documentElement, "lang");
}
function focused() {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el;
}

// What an action means of what a description fits: a pointer what reacts or can be dragged; a key or a text the field
// that a label is for, as the browser gives it to that.
const draggableOf = (el) => closest(el, "[draggable=true]") || actionableOf(el);
const fieldOf = (el) => (el.matches(`a,button,${FIELDS}`) || isDrawnField(el) ? el : closest(el, "label")?.control || onlyIn(el, FIELDS) || el);
// What holds one control and says nothing but its name stands for it, as an element of the site's own does around its button.
const reactingOf = (el) => {
  const { control } = closest(el, "label") || {};
  if (control?.matches(TICKED_BOXES) && !fold(textWithin(closest(el, "label")))) return control; // the box says what it is
  const reacting = actionableOf(el);
  const held = reacts(reacting) ? null : onlyIn(el, ACTIONABLE);
  return held && [nameOf(held), fold(textWithin(held))].includes(fold(textWithin(el))) ? held : reacting;
};
function onlyIn(el, selector) {
  const found = all(el, selector).filter(visible);
  return found.length === 1 ? found[0] : null;
}
const MEANT = { react: reactingOf, drag: draggableOf, field: fieldOf };

// Selector engine "simfind": what an agent's description fits; of that, what the action means.
const findAll = remembering((body) => {
  const find = fromJson(body);
  if (document.readyState === "loading" || activity.navigating) return [];
  let found = sought(find);
  if (found.length > 1) {
    const shown = found.filter(isInReach);
    if (shown.length) found = inFront(shown);
  }
  if (find.meant) found = [...new Set(found.map(MEANT[find.meant]))];
  return found.slice(0, 20);
});

// Take the evidence of an element and arm the guard with it, in one visit; `onto`: as what another one is dragged to.
function take(el, onto) {
  if (guard.stopped.length) return { stopped: disarm().stopped };
  const before = pageState();
  const evidence = describe(el);
  const unchanged = [evidence.tag, evidence.role, evidence.name, evidence.type, evidence.name_attr].join("\n");
  (onto ? armOnto : arm)(el, (event) => {
    if (!el.isConnected) return "the element has left the page";
    const now = [tagOf(el), roleOf(el), nameOf(el), typeOf(el), attr(el, "name")].join("\n");
    const [other] = sendsBy(el, event) ? pressDiffers(evidence.press, el) : [];
    if (other) return `what pressing it does became another thing between look and act: ${other[0]} '${other[1]}' became '${other[2]}'`;
    return now === unchanged ? "" : "the element became another one between look and act";
  });
  return { evidence, before, stopped: [], codes: codes(), pressed: onto ? null : actedOn(el) };
}
async function follow(cap, { opening = false, more = false, late = 0, put = null, asked = null } = {}) {
  if (more) goOn();
  if (late) await written(late);
  const untaken = !!put && isUntaken();
  const { modular, left } = await complete(cap, opening);
  if (put) keepGiven(...put);
  let unsettled = await settle(left);
  while (put && !unsettled && giveBack()) {
    goOn();
    unsettled = await settle(cap);
  }
  const changed = activity.changes > 0 || activity.routed > 0;
  return { ...disarm(), unsettled, changed, modular, standing: standing(), ...dismissal(), opened: activity.opened.splice(0), state: pageState(), written: put && { ...readWritten(...put), untaken }, set: whatWasSet(), field: fieldSet(), met: asked && readMet(asked) };
}
