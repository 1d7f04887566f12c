// What a form asks: its fields, and what a script draws for one that opens a list or stands open as one.
// A radio button that a script has made a tab shows a part of the page, and puts nothing in.
const isFieldLike = (el) => (el.matches(FIELDS) && givenRole(el) !== "tab") || (isPicker(el) && !el.matches("[role=radiogroup]") && !isListOfAnother(el) && !isOpenerOfAnother(el));
const isListOfAnother = (el) => !!el.id && all(document, "[aria-controls],[aria-owns]").some((at) => ["aria-controls", "aria-owns"].some((name) => attr(at, name).split(/\s+/).includes(el.id)));
// A button may open the list of the field beside it, and be labelled by the label of that.
const isOpenerOfAnother = (el) => el.matches("button,[role=button]") && refsOf(el, "aria-labelledby").some((label) => label !== el && all(formOf(el) || document, OPENS_LIST).some((at) => at !== el && takesText(at) && (label.control === at || refsOf(at, "aria-labelledby").includes(label))));

// Of a form that both logs in and registers, the part of each button: each asks for a password, and all that the form asks
// stands in one of them. A person fills in one part. None for any other form.
function entriesOf(own, fields, form) {
  const alone = (at, button) => holds(form, at) && at !== form && !own.some((one) => one !== button && holds(at, one));
  const parts = own.map((button) => [...ancestors(button)].filter((at) => alone(at, button)).pop());
  const asks = (part) => part && fields.some((el) => el.type === "password" && holds(part, el));
  return own.length > 1 && parts.every(asks) && fields.every((el) => parts.some((part) => holds(part, el))) ? parts : [];
}
