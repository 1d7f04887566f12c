// Twins: what a page holds twice for two layouts, and that does the very same. The one that a user can reach stands for both.

// All that pressing it would send, unmasked; empty where nothing shows it.
function effectOf(el) {
  if (leadsAway(el)) return el.href;
  const form = formOf(el);
  if (!form || tagOf(el) === "a") return "";
  const sender = pressedBy(el);
  const said = (name) => (sender?.getAttribute(`form${name}`) || form.getAttribute(name) || "").trim();
  const action = said("action");
  if (!action) return "";
  const hidden = [...(form.elements || [])].filter((at) => at.type === "hidden").map((at) => [at.name, at.value]);
  const own = SENDING.has(typeOf(el)) ? [attr(el, "name"), attr(el, "value")] : [];
  return asJson([said("method").toLowerCase(), new URL(action, document.baseURI).href, own, hidden.sort(), overrideOf(el, form)]);
}
// Whether a user can see and reach an element: drawn, not see-through, not inert, and not laid beside the page.
function isRendered(el) {
  const box = el.getBoundingClientRect();
  if (!visible(el) || box.width <= 2 || box.height <= 2 || closest(el, "[inert],[aria-hidden=true]")) return false;
  if (box.right + scrollX <= 0 || box.bottom + scrollY <= 0) return false;
  for (const at of [el, ...ancestors(el)]) {
    const style = getComputedStyle(at);
    const around = at.getBoundingClientRect();
    if (Number(style.opacity) <= 0.05) return false;
    const clips = at !== el && style.overflow !== "visible" && at !== document.body && at !== document.documentElement;
    if (clips && (around.width <= 2 || around.height <= 2)) return false;
  }
  return true;
}
// Of elements that fit alike, the only one that can be reached, where all do the same at the same place; else all of them.
function reachable(elements) {
  if (elements.length < 2) return elements;
  const effects = new Set(elements.map(effectOf));
  if (effects.size > 1 || effects.has("")) return elements;
  // A twin makes a card of what is around it: what no twin is in is outside of any.
  const cards = new Set(elements.map((el) => [...ancestors(el)].find((at) => (CARD_TAGS.has(tagOf(at)) || CARD_ROLES.has(roleOf(at))) && siblingsOf(at).length) || null));
  if (cards.size > 1) return elements;
  const left = elements.filter(isRendered);
  return left.length === 1 ? left : elements;
}
