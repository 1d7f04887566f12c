// What came to a page later than its lookalikes: the fields of a row that is edited in place, beside the form for a new one.

// The number of the action before which a control was there already. What no action has met came since.
const thereBefore = new WeakMap();
let actions = 0;
const MAY_COME = "button,input,select,textarea,[role=button],[role=combobox],[role=textbox],[role=switch],[role=checkbox],[contenteditable=''],[contenteditable=true]";
function meetControls() {
  actions++;
  for (const el of all(document, MAY_COME)) if (!thereBefore.has(el)) thereBefore.set(el, actions);
}
const cameWith = (el) => thereBefore.get(el) ?? actions + 1;
// One of several alike parts, each with a lookalike in it: which of them comes last may be anybody's doing.
const isRepeated = (el, others) => [el, ...ancestors(el)].some((at) => siblingsOf(at).some((beside) => others.some((other) => holds(beside, other))));
// Whether one came after all of the others: there has to be another one.
const isLatest = (el, others) =>
  others.length > 1 && others.every((other) => other === el || cameWith(other) < cameWith(el)) && !isRepeated(el, others);

// Whether a section is headed by a card beside the one around an element: the row that is edited has lost its own heading.
function isHeadedBeside(el, node, { kind }) {
  if (kind !== "section") return false;
  const heading = node.matches(HEADINGS) ? node : sectionHeading(node, el);
  const outermost = (at, other) => [at, ...ancestors(at)].filter((above) => !holds(above, other)).pop();
  const [own, beside] = [outermost(el, heading), outermost(heading, el)];
  return beside !== heading && tagOf(own) === tagOf(beside) && all(beside, MAY_COME).some((at) => !holds(heading, at));
}
