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

const BUTTONS = "button,input[type=submit],input[type=image],input[type=button],[role=button]";
function readField(el) {
  const group = el.type === "radio" || el.type === "checkbox" ? el.closest("fieldset,[role=radiogroup],[role=group]") : null;
  return {
    ref: ref(el), tag: tagOf(el), type: typeOf(el), role: roleOf(el), name_attr: el.getAttribute("name") || "", id: el.id || "", label: labelOf(el),
    placeholder: el.getAttribute("placeholder") || "", autocomplete: el.getAttribute("autocomplete") || "",
    required: !!el.required || el.getAttribute("aria-required") === "true", value_set: tagOf(el) === "select" ? el.selectedIndex > 0 : !!el.value,
    checked: !!el.checked, value: el.type === "radio" || el.type === "checkbox" ? el.value : "",
    options: tagOf(el) === "select" ? [...el.options].filter((option) => !option.disabled).map((option) => [option.value, fold(option.label)]) : [],
    group: group ? nameOf(group) || fold(group.querySelector("legend")?.textContent) : "", accept: el.getAttribute("accept") || "",
    min: el.getAttribute("min") || "", max: el.getAttribute("max") || "", maxlength: el.maxLength > 0 ? el.maxLength : 0, error: errorOf(el),
    hidden: !visible(el) || isDecoy(el), secret: isSecret(el), caption: captionOf(el),
  };
}
// A field to write in that nobody sees, although it is drawn: beside the page, or transparent. Boxes and lists are styled so.
function isDecoy(el) {
  if (tagOf(el) !== "textarea" && !(tagOf(el) === "input" && /^(?:text|search|email|tel|url|number|password)$/.test(el.type))) return false;
  const box = el.getBoundingClientRect();
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0 || !el.checkVisibility({ opacityProperty: true });
}
function readForms() {
  const forms = all(document, "form").filter((form) => visible(form) || all(form, FIELDS).some(visible));
  return forms.map((form) => {
    const fields = [...new Set([...form.elements, ...all(form, FIELDS)])].filter(
      (el) => el.matches(FIELDS) && !["hidden", "submit", "image", "button", "reset"].includes(el.type) && !el.disabled && (visible(el) || el.type === "file" || el.labels?.length),
    );
    const submits = [...form.elements, ...all(form, BUTTONS)].filter((el) => el.matches(BUTTONS) && visible(el) && el.type !== "button" && el.type !== "reset" && !el.disabled);
    const heading = all(form, HEADINGS + ",legend").find(visible) || headingBefore(document, form);
    return {
      ref: ref(form), name: formName(form), action: shapeOf(form.getAttribute("action") || location.href), method: (form.getAttribute("method") || "get").toLowerCase(),
      heading: heading ? fold(heading.textContent) : "", fields: fields.map(readField), submits: [...new Set(submits)].map((el) => ({ ref: ref(el), name: nameOf(el) })),
    };
  });
}
function readLinks() {
  const cardOf = (el) => [...ancestors(el)].find((at) => CARD_TAGS.has(tagOf(at)) || CARD_ROLES.has(roleOf(at)));
  return withRole(document, "link").filter(visible).slice(0, 300).map((el) => {
    const card = cardOf(el);
    return { ref: ref(el), name: nameOf(el), href: hereOf(el.href), card: card ? textsOf(card) : [] };
  });
}
// The link that tells an address, or another one whose path begins alike up to what is sought, with its evidence; null
// where no link does that is told from all others.
const linkTo = remembering((address, stem) => {
  const sought = new URL(address, document.baseURI);
  const tells = (el) => el.href === sought.href || (el.origin === sought.origin && `${el.pathname}/`.startsWith(`${stem}/`));
  const unlike = (el) => (el.href === sought.href ? 0 : 1e6) + (/\d/.test(nameOf(el)) ? 1e3 : 0) + el.href.length;
  const links = apart(all(document, "a[href]").filter((el) => visible(el) && tells(el))).sort((one, other) => unlike(one) - unlike(other));
  const told = links.find((el) => describe(el).alike.role_name === 1 || describe(el).alike.role_name_scoped === 1);
  return told ? { evidence: describe(told), href: hereOf(told.href) } : null;
});
const hereOf = (href) => (href.startsWith(location.origin + "/") ? href.slice(location.origin.length) : href);
function readButtons() {
  return all(document, BUTTONS).filter(visible).slice(0, 200).map((el) => ({ ref: ref(el), name: nameOf(el), disabled: !!el.disabled, pressed: el.getAttribute("aria-pressed") || "", form: formOf(el) ? ref(formOf(el)) : "", card: textsOfCard(el) }));
}
const textsOfCard = (el) => {
  const card = [...ancestors(el)].find((at) => CARD_TAGS.has(tagOf(at)) || CARD_ROLES.has(roleOf(at)));
  return card ? textsOf(card) : [];
};
function readText(limit) {
  const text = (document.body?.innerText || "").replace(/[ \t\u00a0]+/g, " ").replace(/\n\s*\n+/g, "\n").trim();
  return { text: cut(text, limit), total: text.length };
}

// The elements that an agent's words fit: visible text or accessible name, the exact ones first.
function wordsFit(words) {
  const sought = fold(words);
  const lower = sought.toLowerCase();
  const pool = [...new Set([...all(document, ACTIONABLE)])].filter((el) => tagOf(el) !== "option" && visible(el));
  const names = pool.map((el) => [el, [nameOf(el), textOf(el), labelOf(el)].map(fold)]);
  for (const fits of [(name) => name === sought, (name) => name.toLowerCase() === lower, (name) => lower.length > 2 && name.toLowerCase().includes(lower)]) {
    const found = names.filter(([, texts]) => texts.some(fits)).map(([el]) => el);
    if (found.length) return outermost(found);
  }
  const texts = all(document, "body *").filter((el) => ![...el.children].length && fold(el.textContent).toLowerCase() === lower && visible(el));
  return outermost(texts);
}
// A label and its control, or a button and the word in it, are one thing.
function outermost(elements) {
  const set = new Set(elements);
  return elements.filter((el) => ![...ancestors(el)].some((at) => set.has(at)) && !(tagOf(el) === "label" && el.control && set.has(el.control)));
}
function sought(find) {
  switch (find.how) {
    case "css":
      return all(document, find.value);
    case "text":
      return wordsFit(find.value);
    case "role":
      return withRole(document, find.value).filter((el) => visible(el) && (!find.name || nameOf(el) === fold(find.name)));
    case "label":
      return all(document, FIELDS).filter((el) => fold(labelOf(el)).toLowerCase() === fold(find.value).toLowerCase());
    case "ref":
      return [refs.get(find.value)?.deref()].filter((el) => el && el.isConnected);
    case "point":
      return [atPoint(find.value)].filter(Boolean);
    default:
      return [focused()].filter(Boolean);
  }
}
function focused() {
  let el = document.activeElement;
  while (el?.shadowRoot?.activeElement) el = el.shadowRoot.activeElement;
  return el;
}

const draggableOf = (el) => closest(el, "[draggable=true]") || actionableOf(el);

// Selector engine "simfind": what an agent's description fits; for a pointer, the element that reacts.
const findAll = remembering((body) => {
  const find = JSON.parse(body);
  if (document.readyState === "loading" || activity.navigating) return [];
  let found = sought(find);
  if (found.length > 1) {
    const shown = found.filter(visible);
    if (shown.length) found = shown;
  }
  if (find.pointer) found = [...new Set(found.map(find.pointer === "drag" ? draggableOf : actionableOf))];
  return found.slice(0, 20);
});

// Take the evidence of an element and arm the guard with it, in one visit; `onto`: as what another one is dragged to.
function take(el, onto) {
  if (guard.stopped.length) return { stopped: disarm().stopped };
  const before = pageState();
  const evidence = describe(el);
  watchDismissal(el);
  const unchanged = JSON.stringify([evidence.tag, evidence.role, evidence.name, evidence.type, evidence.name_attr]);
  (onto ? armOnto : arm)(el, () => {
    if (!el.isConnected) return "the element has left the page";
    const now = JSON.stringify([tagOf(el), roleOf(el), nameOf(el), typeOf(el), el.getAttribute("name") || ""]);
    return now === unchanged ? "" : "the element became another one between look and act";
  });
  return { evidence, before, stopped: [], codes: codes() };
}
async function follow(cap) {
  const unsettled = await settle(cap);
  const changed = activity.changes > 0 || activity.routed > 0;
  return { ...disarm(), unsettled, changed, dismissed: onlyDismissed(), opened: activity.opened, state: pageState() };
}

// Which of the given texts the page does not show; of another address, what is read there without leaving the page.
async function lacks(texts, address) {
  let shown = fold(document.body?.innerText);
  if (address && new URL(address, document.baseURI).href !== location.href) {
    const answer = await nativeFetch(address, { credentials: "same-origin" });
    if (!answer.ok) return texts;
    shown = fold(new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent);
  }
  return texts.filter((text) => fold(text) && !shown.includes(fold(text)));
}
