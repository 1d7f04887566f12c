// What a press puts into a field beside what was pressed, as a picker of times, a stepper or a slider does. Not responsible
// for: the members of a widget (4_members.js), boxes, or what is typed or chosen in the field itself (4_written.js).

const SET_BY_PRESS = "input,textarea,select,[role=slider],[role=spinbutton]";
const MOST_SETTABLE = 200;
const LONGEST_PUT = 300;
let heldByFields = new Map();
const holdsInput = (el) => tagOf(el) !== "input" || TYPED.test(el.type);
// What stands for what a field holds: as it is sent, and as it is shown.
function saidByField(el) {
  if (tagOf(el) === "select") return [...el.selectedOptions].flatMap((one) => [one.value, fold(one.label)]);
  return ["input", "textarea"].includes(tagOf(el)) ? [el.value] : [attr(el, "aria-valuenow"), attr(el, "aria-valuetext")];
}
const settable = () => all(document, SET_BY_PRESS).slice(0, MOST_SETTABLE).filter((el) => holdsInput(el) && !isSecret(el) && visible(el));
function watchFields() {
  const fields = effectsVersion > 11 ? settable() : [];
  heldByFields = new Map(fields.map((el) => [el, saidByField(el)]));
}
// The only field that one sees and that holds something else since then, where the page has asked for nothing meanwhile:
// what it has fetched it shows, and the form of another thing shows several at once.
function fieldSet() {
  if (activity.done.length || [...activity.pending.values()].some(({ caused }) => caused)) return null;
  const changed = [...heldByFields].filter(([el, before]) => el.isConnected && before.join("\n") !== saidByField(el).join("\n"));
  const [[el, before] = []] = changed;
  const texts = el ? [...new Set(saidByField(el).filter((text) => text.trim()))] : [];
  if (changed.length !== 1 || !texts.length || !visible(el) || texts.some((text) => text.length > LONGEST_PUT)) return null;
  const names = [labelOf(el) || nameOf(el), attr(el, "name") || sentAround(el), captionOf(el), calledById(el)];
  return {
    texts, names: [...new Set(names.filter(Boolean))], field: attr(el, "name") || sentAround(el), form: formShape(formOf(el)), chosen: tagOf(el) === "select",
    part: calledPart(el), filled: before.some(Boolean), ids: idsOfCard(el), around: idsAround(el), cards: cardsAround(el), required: !!el.required || attr(el, "aria-required") === "true",
  };
}
