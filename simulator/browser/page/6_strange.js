// A dialog that opened by itself, over what is acted on: by what it can be closed without deciding anything.

const CLOSES = /\b(?:close|dismiss|fermer|cerrar|chiudi|fechar|sluiten|st[äa]ng|luk|lukk|zamknij|zav[rř][ií]t)\b|schlie(?:ß|ss)en|закрыть|閉じる|关闭|關閉|닫기/i;
const CROSS = /^[\s×✕✖⨯✗✘⤫xX]*$/;
const CLOSING_CLASS = /(?:^|[\s_-])close(?:$|[\s_-])/i;
// An icon alone, which says by its name, its sign or its framework that it closes; it sends nothing, and leads nowhere.
function closesOnly(el) {
  const shown = fold(el.innerText).replace(SIGNS, "");
  const leads = tagOf(el) === "a" && el.hasAttribute("href") && leadsAway(el);
  if (!CROSS.test(shown) || leads || (SENDING.has(typeOf(el)) && formOf(el) && sentTo(el, formOf(el)).startsWith("post"))) return false;
  const says = nameOf(el).replace(SIGNS, "").trim();
  const marked = ["data-dismiss", "data-bs-dismiss"].some((name) => attr(el, name) === "modal") || CLOSING_CLASS.test(attr(el, "class"));
  return says && !CROSS.test(says) ? CLOSES.test(says) : marked || shown !== "";
}
const isFilled = (el) => (["checkbox", "radio"].includes(el.type) ? el.checked : tagOf(el) !== "select" && !!(el.isContentEditable ? el.innerText.trim() : el.value));
const closing = { part: null, around: "" };
// What lies over the one element that a query admits, or hides it as a modal part, and nobody opened: it was there before
// anything of ours has reached this document. Null where there is none, or where it may be more than it seems.
const strangeDialog = remembering((query) => {
  const open = all(document, DIALOGS).filter(visible);
  const [part] = open;
  if ((part && !openedItself(part)) || open.length !== 1 || roleOf(part) !== "dialog" || query.must?.place === "dialog") return null;
  const [el, ...more] = admit(query);
  if (more.length || (el && holds(part, el))) return null;
  if (el) el.scrollIntoView({ block: "center", behavior: "instant" });
  const over = el && hitAt(el);
  if (!(el ? !!over && !holds(el, over) && !holds(over, el) && liesOver(part, over, el) : part.matches(":modal,[aria-modal=true]"))) return null;
  if (all(part, FIELDS).some((at) => isField(at) && isFilled(at))) return null;
  const closers = all(part, "button,a,[role=button]").filter((at) => visible(at) && closesOnly(at));
  Object.assign(closing, { part, around: besides(part) });
  return { name: nameOf(part) || cut(fold(part.innerText), 80), ref: closers.length === 1 ? ref(closers[0]) : "" };
});
// Whether it has gone, and nothing else with it.
const dialogClosed = () => !!closing.part && !visible(closing.part) && besides(closing.part) === closing.around;
