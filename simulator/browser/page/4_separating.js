// What keeps the lookalikes of an element apart from it, beyond the card of its own: an outer card, the section of a group.

// Sections around the nearest one, as groups of things are that have headings of their own.
function outerSections(el, scopes) {
  const known = scopes.filter(([, { kind }]) => kind === "section").map(([node]) => sectionHeading(node, el));
  const outer = headingsAround(el).filter((heading) => !known.includes(heading));
  return outer.map((heading) => [heading, { kind: "section", role: "heading", name: cut(nameOf(heading), 120) }]);
}
// Marks the parts of the page that alone keep a lookalike apart: the card of a thing, around the card of a part of it that
// every thing has. Where the recorded one is gone, its lookalike elsewhere is the only one, and only such a part says whose.
const MOST_TWINS = 40; // beyond, all of them stand in one list, and the nearest card distinguishes them
function markSeparating(el, likes, scopes, depth) {
  const does = (at) => asJson([formShape(formOf(at)), pressOf(at)]);
  const own = tagOf(el) === "a" ? "" : does(el);
  const sought = ({ kind, role, name, texts = [], tells, levels }) => ({ kind, role, name, must: texts.slice(0, tells), holds: [], levels });
  const words = scopes.map(([, scope]) => scope).find((scope) => scope.words?.length);
  const branchOf = (twin) => [twin, ...ancestors(twin)].filter((at) => !holds(at, el)).pop();
  const saysAll = (at) => words.words.every((text) => fold(at.textContent).includes(text));
  const alike = (twin) => !words || (saysAll(branchOf(twin)) && !lostWords(twin, words, {}).length);
  let left = likes.filter((twin) => twin !== el && (!own || does(twin) === own) && alike(twin)).slice(0, MOST_TWINS);
  for (const [at, [node, scope]] of scopes.entries()) {
    if (!left.length) return;
    const speaks = scope.kind === "card" ? scope.tells && !scope.numbered : isWord(scope.name || "") || at === depth;
    if (!speaks || scope === words) continue;
    const still = left.filter((twin) => (scope.kind !== "section" && holds(node, twin)) || isAround(sought(scope), twin, {}));
    if (still.length < left.length && at !== depth) scope.separates = true;
    left = still;
  }
}
// A row of a thing that has several is a card beside them; the thing is what has siblings with a lookalike in them.
function markOuterCard(el, scopes) {
  const [role, name] = [roleOf(el), nameOf(el)];
  const cards = scopes.filter(([, { kind }]) => kind === "card");
  const isOneOfMany = ([node]) => siblingsOf(node).some((other) => likeIn(other, el, role, name).length);
  const first = cards.findIndex(([, { words }]) => words?.length);
  if (first < 0 || isOneOfMany(cards[first])) return;
  const outer = cards.slice(first + 1).find(isOneOfMany)?.[1];
  if (outer?.tells && !outer.numbered) outer.separates = true;
}
