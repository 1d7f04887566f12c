// What the fields of forms hold: those that are called as parts of what was sent, or all. Not responsible for: whose forms
// they are.

const FORM_FIELDS = 300;
// Where no option of a list is said to be chosen a browser shows the first one: that proves nothing of what is kept.
const isSaid = (el) => tagOf(el) !== "select" || el.multiple || el.selectedIndex > 0 || [...el.options].some((one) => one.defaultSelected);
// Which of some texts still stand in a field to write in that one can see.
const stillWritten = remembering((texts) => {
  const written = new Set(all(document, `${HAS_VALUE},[contenteditable=""],[contenteditable=true]`).filter((el) => (takesText(el) || el.isContentEditable) && visible(el) && !isSecret(el)).map((el) => fold(contentOf(el))));
  return texts.map((text) => written.has(fold(text)));
});
const readFields = (names = null) => {
  const wanted = names && new Set(names);
  const keeps = storing();
  // What the browser keeps a script may have put back: Python asks whether the site has brought that.
  const isStored = (el, kind, holds) => effectsVersion > 11 && kind === "field" && holds.some((text) => text.trim() && keeps({ kind, text, parts: [] }).stored) && visible(el);
  const fields = all(document, HAS_VALUE).filter((el) => el.name && (!wanted || wanted.has(el.name)) && !isSecret(el) && !el.disabled).slice(0, FORM_FIELDS).map((el) => {
    const box = el.type === "checkbox" || el.type === "radio";
    const form = formOf(el);
    const kind = el.type === "radio" ? "radio" : box ? "box" : tagOf(el) === "select" ? "select" : "field";
    const holds = box ? [el.value] : holdsNow(el);
    return { name: el.name, kind, holds, stored: isStored(el, kind, holds), on: box ? el.checked : isSaid(el), label: el.type === "radio" && effectsVersion > 11 ? askedByRadios(el) : labelOf(el), form: formShape(form), action: form ? attr(form, "action") : "", seen: visible(el) };
  });
  return { document: documentToken, fields };
};
