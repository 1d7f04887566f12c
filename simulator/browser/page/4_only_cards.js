// The words beside an element that is the only one of its kind: a list may have one thing today, and another one tomorrow.

const ONLY_WORDS = 4; // texts of what is no row, list item or article
const MOST_IN_CARD = 16;
const NO_ONLY_CARD = "h1,main,nav,form,label,table,ul,ol,[role=dialog],dialog";
// What calls a thing, where no heading does: a picture, a text that is set off, a link to one of many or to what is called as it is.
const isNamedSo = (at) => {
  const steps = shapeOf(attr(at, "href")).split(/[?#]/)[0].split("/").filter(Boolean);
  return steps.length > 1 && lettersIn(steps.at(-1)).join() === lettersIn(nameOf(at)).join();
};
const isThing = (at) => at.matches("b,strong") || (tagOf(at) === "img" && !!attr(at, "alt")) || (at.matches("a[href]") && (shapeOf(attr(at, "href")).includes("{id}") || isNamedSo(at)));
function wordsBeside(el, node) {
  const own = new Set([...textsWithout(el), nameOf(el)]);
  const texts = textsWithout(node, 24);
  const words = texts.filter((text) => isWord(text) && !own.has(text)).slice(0, KEPT_WORDS);
  return { words, titles: texts.slice(0, texts.titles).filter((text) => words.includes(text)).length, stems: [] };
}
// Marks the row, list item or article without siblings around an element, or adds the smallest part that calls a thing.
function markOnlyCard(el, scopes) {
  const [nearest, { words: known } = {}] = scopes.find(([, { kind }]) => kind === "card") || [];
  const typical = nearest && nearest.matches(TYPICAL_CARDS) && !siblingsOf(nearest).length && scopes.find(([at]) => at === nearest);
  if (known?.length || (!typical && scopes.some(([, { words }]) => words?.length))) return;
  const levels = [...ancestors(el)];
  const node = typical ? typical[0] : levels.find((at) => isPage(at) || wordsBeside(el, at).words.length);
  if (!node || isPage(node) || isDialog(node) || node.matches("form") || PARTS_OF_PAGES.has(roleOf(node)) || all(node, NO_ONLY_CARD).length) return;
  const said = wordsBeside(el, node);
  const texts = textsWithout(node, 24).length;
  if (!said.words.length || texts > (typical ? MOST_IN_CARD : ONLY_WORDS) || (!typical && !all(node, "*").some((at) => at !== el && !holds(el, at) && isThing(at)))) return;
  if (typical) Object.assign(typical[1], said);
  else scopes.push([node, { kind: "card", role: roleOf(node) || tagOf(node), name: "", texts: said.words, tells: 0, levels: levels.indexOf(node) + 1, gains: gainsUpTo(el, node), ...said }]);
}
