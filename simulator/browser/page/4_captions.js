// What a field is called by the page around it: its label, or a caption: the text beside it, where no label is its own.

const FIELDS = "input,select,textarea,[contenteditable=''],[contenteditable=true],[role=textbox],[role=combobox],[role=checkbox],[role=radio],[role=switch]";
// What says how something went: it may repeat what was sent, and proves nothing.
const SAYS = "[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output";
// Rows that a script sorts, and the main part of a page, may be announced when they change: they are no message. Seen on
// the tables of tablesorter.
const ROWS_OR_MAIN = "tr,[role=row],main";
const ANNOUNCED = `:not(table,thead,tbody,tfoot,td,th,${ROWS_OR_MAIN},[role=grid],[role=table],[role=rowgroup],[role=main],:has(${ROWS_OR_MAIN}))`;
const MESSAGES = SAYS.replace(/\[aria-live=\w+\]/g, (region) => region + ANNOUNCED);
const messageOf = (el) => closest(el, effectsVersion > 11 ? MESSAGES : SAYS);
// What is referred to and says nothing labels nothing: the labels are asked then, and what is given at last.
const labelOf = (el) => {
  const said = (sources) => fold(sources.map((source) => alternative(source, { seen: new Set([el]), label: true, hidden: hiddenForAria(source) })).join(" "));
  return cut(said(refsOf(el, "aria-labelledby")) || said([...(el.labels || [])]) || fold(attr(el, "aria-label")), 200);
};
const withLabel = (root, label) => all(root, FIELDS).filter((el) => labelOf(el) === label);
// A field that a script draws may be labelled by what it shows: that says what it holds, and not what it is.
const isLabelled = (el) => !!labelOf(el) && !(refsOf(el, "aria-labelledby").length && refsOf(el, "aria-labelledby").every((at) => holds(el, at)));
// A label may be for nothing, or for what nobody sees: it is that of the field that stands in the part of the page with it,
// where no other one does. Seen on lists of React and of Select2.
function labelBeside(el) {
  for (let at = el; at.parentElement && !bounds(at, el); at = at.parentElement) {
    if (hasAnother(at.parentElement, el)) return "";
    const labels = [...at.parentElement.querySelectorAll("label")].filter((label) => !isApartFrom(el, label, at.parentElement) && !(label.control && isOffered(label.control)) && visible(label) && saidIn(label));
    if (labels.length) return labels.length === 1 ? cut(saidIn(labels[0]), 120) : "";
  }
  return "";
}
const hasAnother = (part, el) => [...part.querySelectorAll(FIELDS)].some((other) => isOffered(other) && !holds(other, el) && !holds(el, other) && !isApartFrom(el, other, part));
// A dialog that has opened in the part of a field, as the calendar of a day with its lists of months, is a part of its own.
function isApartFrom(el, other, part) {
  const dialog = closest(other, DIALOGS);
  return !!dialog && dialog !== part && holds(part, dialog) && !holds(dialog, el);
}
// The words of a part of the page, without scripts, what a list offers, and what speaks of how something goes.
const WORDLESS = `script,style,template,select,${SAYS}`;
const saidIn = (el) => fold(el.querySelector(WORDLESS) ? [...pieces(el)].filter((node) => !closest(node.parentElement, WORDLESS)).map((node) => node.data).join("") : el.textContent);

// The text beside a field that has no label: before it, or after what is ticked; never text with another field in it. Where
// there is none, the name of the part of the page that it is the only field of.
const BESIDE = { checkbox: ["nextSibling", "previousSibling"], radio: ["nextSibling", "previousSibling"], file: ["previousSibling", "nextSibling"] };
// A list shows what it holds, beside or in it; what is ticked shows nothing, so the text beside it is its own.
const captionOf = (el) => (isLabelled(el) ? "" : isTicked(el) ? textCaption(el) || labelBeside(el) : labelBeside(el) || textCaption(el));
const textCaption = (el) => captionBeside(el) || blockCaption(el);
// Older recordings know a field by the text beside it where a label stands beside it as well.
const isCaptioned = (el, caption) => captionOf(el) === caption || textCaption(el) === caption;
// Beyond what no text is a field's; a fieldset without a name that has no other field is only drawn around it.
const bounds = (at, el) =>
  at.matches("form,body") || (tagOf(at) === "fieldset" && (!!nameOf(at) || all(at, FIELDS).some((one) => isOffered(one) && !holds(el, one))));
function captionBeside(el) {
  if (labelOf(el)) return "";
  const ways = BESIDE[typeOf(el)] || ["previousSibling"];
  // What stands nearer on the other side is the text of a box: behind it may be the button of its form.
  for (const together of evidenceVersion > 2 ? [ways] : ways.map((way) => [way])) {
    let open = together;
    for (let at = el, hops = 0; at && hops < 3 && open.length && !bounds(at, el); at = at.parentElement, hops++) {
      const beside = open.map((way) => [way, ...textBeside(at, way)]);
      const [, text] = beside.find(([, said]) => said) || [];
      if (text) return cut(text, 120);
      open = beside.filter(([, , ends]) => !ends).map(([way]) => way);
    }
  }
  return partName(el);
}
// The name of the part of a page that has no field but this one: an editor for texts is often known by that alone.
const NAMED_PARTS = "section,fieldset,[role=region],[role=group]";
function partName(el) {
  const part = [...ancestors(el)].find((at) => at.matches(NAMED_PARTS) && nameOf(at));
  return part && visible(el) && all(part, FIELDS).filter(visible).length === 1 ? cut(nameOf(part), 120) : "";
}
// Farther off, for what has no name: the nearest words in the block of one field, where others beside it have their own;
// not those of what reacts for itself, such as the tools of an editor.
const CAPTION_LENGTH = 60;
const MUTE = `select,${SAYS}`;
const TOOLS = `${MUTE},:has(button,a[href],[role=button],[role=link])`;
function blockCaption(el) {
  let found = "";
  for (let at = el; at.parentElement && !bounds(at, el) && !nameOf(el); at = at.parentElement) {
    if (hasAnother(at.parentElement, el)) return found.length > CAPTION_LENGTH ? "" : found;
    found ||= textBeside(at, "previousSibling", TOOLS)[0];
  }
  return "";
}
// What nobody sees may stand between a field and its text: a widget sends its value by an input, or draws a list anew.
const isOffered = (el) => el.matches(FIELDS) && (tagOf(el) === "select" ? isOpenToSee(el) : el.type !== "hidden");
// Several buttons and nothing else name no field: they are the tools of an editor, whose drawings may be made of letters.
const TOOL = "button,[role=button],[role=menuitem]";
const isToolbar = (at) => all(at, TOOL).length > 1 && [...pieces(at)].every((node) => !node.data.trim() || closest(node.parentElement, `${WORDLESS},${TOOL}`));
// The nearest text on one side, and whether another field stands before any.
function textBeside(el, way, mute = MUTE, unseen = false) {
  for (let at = el[way]; at; at = at[way]) {
    if (at.nodeType === 1 && [at, ...at.querySelectorAll(FIELDS)].some(isOffered)) return ["", true];
    const silent = at.nodeType === 1 ? (!unseen && hiddenForAria(at)) || at.matches(mute) || (evidenceVersion > 2 && isToolbar(at)) : at.nodeType !== 3;
    const text = silent ? "" : at.nodeType === 1 ? saidIn(at) : fold(at.textContent);
    if (text) return [text, false];
  }
  return ["", false];
}
const withCaption = (root, caption) => [...all(root, FIELDS), ...drawnFields().filter((el) => root.contains(el))].filter((el) => isCaptioned(el, caption));
// What radio buttons of one name are asked by: the name of the part of the page that has them and no other field, or the
// text before the first of them, also where all of it is folded away. The label of one is an answer to that.
const ASKED_HOPS = 3;
function askedByRadios(el) {
  const set = all(document, "input[type=radio]").filter((one) => one === el || (!!el.name && one.name === el.name && formOf(one) === formOf(el)));
  const has = (at) => set.every((one) => holds(at, one));
  const others = (at) => all(at, FIELDS).some((one) => isOffered(one) && !set.includes(one));
  const around = [...ancestors(el)].filter((at) => !at.matches("form,body") && has(at) && !others(at));
  const named = around.map((at) => nameOf(at) && isNamedGroup(at) && nameOf(at)).find(Boolean);
  if (named) return cut(named, 120);
  for (let at = set[0], hops = 0; at && hops < ASKED_HOPS && !at.matches("form,body"); at = at.parentElement) {
    const [text, ends] = textBeside(at, "previousSibling", MUTE, !visible(set[0]));
    if (text) return text === captionOf(set[0]) ? "" : cut(text, 120);
    if (ends) break;
    if (has(at)) hops++;
  }
  return "";
}
