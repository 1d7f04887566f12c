// What a page shows somebody who looks at a site for the first time: where it leads, what it asks for and what it lists.
// Not responsible for: what follows from it, or going anywhere.

const SURVEYED_LINKS = 600;
const SURVEYED_BUTTONS = 200;
// By which a link says that following it is more than reading: libraries that make a request of it, or ask before they do.
const DOING = "data-method,data-confirm,data-turbo-method,data-turbo-confirm,data-remote,data-action,hx-post,hx-put,hx-patch,hx-delete,hx-confirm,download,onclick,ping";
const wordsOn = (el) => cut(nameOf(el) || fold(el.textContent) || attr(el, "title"), 200);
const landmarkOf = (el) => {
  const at = closest(el, "nav,header,footer,aside,main,[role=navigation],[role=banner],[role=contentinfo],[role=main]");
  return at ? roleOf(at) || tagOf(at) : "";
};
function surveyedForm(part) {
  const form = closest(part, "form") || part;
  const override = all(form, "input[type=hidden]").find((el) => /^_?method$/i.test(el.name));
  const card = cardAround(form);
  const limits = (el) => ({ ref: ref(el), pattern: attr(el, "pattern"), minlength: el.minLength > 0 ? el.minLength : 0, step: attr(el, "step"), mode: attr(el, "inputmode"), help: cut(fold(refsOf(el, "aria-describedby").map((one) => one.textContent).join(" ")), 200) });
  const address = new URL(form.getAttribute("action") || location.href, document.baseURI);
  return {
    ref: ref(part), search: roleOf(form) === "search" || !!closest(form, "search,[role=search]"), override: override ? cut(override.value, 12).toLowerCase() : "",
    sent_to: address.origin === location.origin ? address.pathname + address.search : address.href, says_action: form.hasAttribute("action"), waiting: all(form, BUTTONS).filter((el) => el.disabled && visible(el) && el.type !== "button" && el.type !== "reset").map(nameOf), place: landmarkOf(form),
    card: card ? textsOf(card).slice(0, 4) : [], limits: [...new Set([...(form.elements || []), ...all(form, FIELDS)])].filter((el) => el.matches(FIELDS) && (part === form || holds(part, el)) && el.type !== "hidden").map(limits),
  };
}
// What is pressed and is no link, button or field, as the items of a menu may be: its role says so, or its pointer alone.
const SURVEYED_ITEMS = 60;
const ITEM_WORDS = 40;
const LISTED_APART = `a[href],area[href],${BUTTONS},${FIELDS},summary,option`;
const ITEM_ROLES = "[role=menuitem],[role=treeitem],[role=link]";
const NO_ITEMS = "form,table,[role=grid],dialog,[role=dialog],label";
function surveyedItems() {
  if (isPointed(document.body)) return [];
  const isItem = (el) => el.matches(ITEM_ROLES) || (isPointed(el) && !isPointed(parentOf(el)));
  const found = all(document.body, "*").filter((el) => visible(el) && isItem(el) && !el.matches(LISTED_APART) && !closest(el, NO_ITEMS) && !all(el, LISTED_APART).length);
  const told = found.map((el) => ({ ref: ref(el), words: wordsOn(el), form: "", place: landmarkOf(el), card: 0, shown: true, leads: false, sends: false }));
  return told.filter(({ words }) => words && words.length <= ITEM_WORDS && !/\d/.test(words)).slice(0, SURVEYED_ITEMS);
}
function readSurvey() {
  const cards = new Map();
  const numberOf = (card) => (cards.has(card) || cards.set(card, cards.size + 1), cards.get(card));
  const links = all(document, "a[href],area[href]").slice(0, SURVEYED_LINKS).map((el) => {
    const card = cardAround(el);
    const does = DOING.split(",").some((name) => el.hasAttribute(name)) || roleOf(el) === "button";
    return { words: wordsOn(el), href: hereOf(el.href), does, place: landmarkOf(el), card: card ? numberOf(card) : 0, shown: visible(el) };
  });
  const buttons = all(document, `${BUTTONS},[role=menuitem]:not([href])`).slice(0, SURVEYED_BUTTONS).map((el) => {
    const form = formOf(el);
    const card = cardAround(el);
    return { ref: ref(el), words: wordsOn(el), form: form ? ref(form) : "", place: landmarkOf(el), card: card ? numberOf(card) : 0, shown: visible(el), leads: el.hasAttribute("formaction"), sends: !!form && SENDING.has(typeOf(el)) };
  });
  const heading = all(document, HEADINGS).find((el) => visible(el) && !closest(el, "nav,header,footer,aside,form"));
  return {
    address: hereOf(location.href), title: cut(fold(document.title), 200), language: attr(document.documentElement, "lang"), heading: heading ? cut(fold(heading.textContent), 200) : "",
    kind: document.contentType, links, buttons, items: surveyedItems(), forms: readForms().map((form) => ({ ...form, more: surveyedForm(refs.get(form.ref).deref()) })),
  };
}
