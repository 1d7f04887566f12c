// The words beside an element that is the only one of its kind: a list may have one thing today, and another one tomorrow.

const MOST_IN_CARD = 16; // texts
// What is pressed in it says nothing of it, but for a link to a thing: one to what can be done with it ends otherwise.
function wordsBeside(el, node) {
  const links = all(node, "a[href]").filter((at) => /\{id\}\/?$/.test(shapeOf(attr(at, "href")))).map((at) => nameOf(at));
  const controls = all(node, PRESSABLE).map((at) => nameOf(at));
  const own = new Set([...textsWithout(el), nameOf(el), ...controls.filter((name) => !links.includes(name))]);
  const texts = textsWithout(node, 24);
  const words = texts.filter((text) => isWord(text) && !own.has(text)).slice(0, KEPT_WORDS);
  return { words, titles: texts.slice(0, texts.titles).filter((text) => words.includes(text)).length, stems: [] };
}
// Marks the row or list item without siblings around an element. An article alone is the page of a thing: what else stands
// on it that thing may have or not.
function markOnlyCard(el, scopes) {
  const [node, scope] = scopes.find(([, { kind }]) => kind === "card") || [];
  if (!node || scope.words?.length || !node.matches(TYPICAL_CARDS) || node.matches("article,[role=article]") || siblingsOf(node).length) return;
  const said = wordsBeside(el, node);
  if (said.words.length && textsWithout(node, 24).length <= MOST_IN_CARD) Object.assign(scope, said);
}
