// Finds what single pieces of the evidence of an element point to, for a replay that may heal. Which of them is believed
// is not decided here.

const WEAKER = {
  id: (value) => withValue(document, "id", value),
  placeholder: (value) => withValue(document, "placeholder", value),
  autocomplete: (value) => withValue(document, "autocomplete", value),
  value: (value) => withValue(document, "value", value).filter((el) => sentAs(el) === value),
  request: (value) => all(document, "button,input").filter((el) => requestOf(el) === value),
  href: (value) => withRole(document, "link").filter((el) => el.hasAttribute("href") && shapeOf(attr(el, "href")) === value),
};

// For each piece the places of its elements among the candidates; and of each candidate its evidence, what of the query
// contradicts it, and which of the other recorded elements it is proven to be.
const piecesOf = remembering(({ query, pieces, others }) => {
  const candidates = [];
  const place = (el) => (candidates.includes(el) ? candidates.indexOf(el) : candidates.push(el) - 1);
  const found = pieces.map((piece) => {
    const strong = piece.by in PRIMARY;
    const elements = piece.by === "plain" ? withPlainName(document, piece.role, piece.value).filter((el) => query.hidden || visible(el)) : strong ? located({ ...query, scope: null, ...piece }) : WEAKER[piece.by](piece.value).filter((el) => query.hidden || visible(el));
    return [...new Set(elements)].slice(0, 12).map(place);
  });
  const known = new Map();
  for (const [other, words] of candidates.length ? others : []) {
    const proven = admit(other);
    if (proven.length === 1) known.set(proven[0], words);
  }
  return {
    pieces: found,
    candidates: candidates.map((el) => ({ ref: ref(el), evidence: describe(el), against: contradictions({ ...query, by: "ref" }, el), known: known.get(el) || "", offers: offersOf(el) })),
  };
});

// What can be chosen from a list, or is suggested for a field: how it is sent, and what it is called.
const MAX_OFFERS = 300;
const offersOf = (el) =>
  [...((tagOf(el) === "select" && !el.multiple ? el : el.list)?.options || [])]
    .filter((one) => !one.matches(":disabled") && one.value).slice(0, MAX_OFFERS).map((one) => [one.value, fold(one.label)]);

const arrivals = () => activity.arrived;

// Whether what lies over an element belongs to a dialog: it is in it, around it as its backdrop, or an empty backdrop.
function liesOver(part, over, el) {
  const around = [...ancestors(part)].find((at) => at !== document.body && ["fixed", "absolute"].includes(getComputedStyle(at).position) && !holds(at, el));
  return holds(part, over) || (!!around && holds(around, over)) || isBackdrop(over);
}

// The button that dismisses what lies over the one element that a query admits, where a rule names both. A modal part
// may hide from the query what it lies over. `keys`: no pointer is to come there, so only a modal part is in the way.
const dismissing = remembering((query, rules, keys) => {
  const [el, ...more] = admit(query);
  if (more.length || (keys && el && !shutOffBy(el))) return null;
  if (el) el.scrollIntoView({ block: "center", behavior: "instant" });
  const over = el && hitAt(el);
  for (const { role, name, button } of rules) {
    for (const part of withRole(document, role).filter((at) => visible(at) && nameOf(at) === name)) {
      const blocks = el ? !!over && !holds(part, el) && liesOver(part, over, el) : part.matches(":modal,[aria-modal=true]");
      const found = blocks ? withRole(part, "button").filter((at) => visible(at) && nameOf(at) === button) : [];
      if (found.length === 1) return { role, name, button, ref: ref(found[0]) };
    }
  }
  return null;
});
