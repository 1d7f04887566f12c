// What controls say beside each other of what they do: which is sent as what, calls which script. Two that have
// exchanged it mean something else.

const DECLARERS = "button,[role=button],[role=menuitem],input[type=submit],input[type=button],a[href]";
const DECLARING = /^(?:data-(?!(?:test(?:-?id)?|id|key|pk|uuid|v-.*|react.*|.*(?:state|active|open|checked|selected|expanded|index|order|pos|position|placement))$)|on|hx-|formaction$)/;
const MOST_DECLARED = 100; // characters of an attribute
function declaredBy(el) {
  const value = attr(el, "value");
  const sent = SENDING.has(typeOf(el)) && attr(el, "name") && formOf(el) ? [`${withoutIds(cut(attr(el, "name"), MOST_DECLARED))}=${/^\d{1,3}$/.test(value) ? value : withoutIds(cut(value, MOST_DECLARED))}`] : [];
  const said = [...el.attributes].filter(({ name, value: text }) => DECLARING.test(name) && !GUARDING.test(name) && text && text.length <= MOST_DECLARED);
  return [...sent, ...said.map(({ name, value: text }) => `${name}=${withoutIds(text).replace(/\p{N}+/gu, "{id}")}`).sort()].join("\n");
}
// Of the controls in the smallest part of the page that has others beside an element.
function declaredAround(el) {
  if (!el.matches(DECLARERS)) return [];
  const form = SENDING.has(typeOf(el)) && formOf(el);
  const named = (root) => all(root, DECLARERS).filter((at) => visible(at) && nameOf(at));
  const around = form && sendersOf(form).length > 1 ? form : [...ancestors(el)].find((at) => isPage(at) || named(at).length > 1);
  // It may be the only one left of those that were beside it.
  const told = around ? named(around).map((at) => [nameOf(at), declaredBy(at)]) : [];
  const alone = told.filter(([name, said]) => said && told.filter(([other]) => other === name).length === 1);
  if (told.length > MOST_OFFERED || !declaredBy(el)) return [];
  // What all of them declare alike can be exchanged with none.
  return new Set(alone.map(([, said]) => said)).size > 1 ? alone : [[nameOf(el), declaredBy(el)]];
}
