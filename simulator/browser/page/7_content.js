// The contents of a page: its text block by block, its HTML, and the fields of its items.

const BLOCKS = "h1,h2,h3,h4,h5,h6,[role=heading],p,li,tr,dd,blockquote,pre,figcaption,caption,label,legend,address,summary,article,[role=listitem],[role=row],[role=article],[role=alert],[role=status]";
const BLOCK_TEXT = 500;
const isWhole = (el) => CARD_TAGS.has(tagOf(el)) || CARD_ROLES.has(roleOf(el));
// What a block says: all of a row or a card, of others only where no other block is in it; words outside of any block, too.
function blockText(el) {
  if (el.matches(FIELDS)) return shownValue(el);
  const outer = el.parentElement && closest(el.parentElement, BLOCKS);
  const own = el.matches(BLOCKS)
    ? isWhole(el) || !el.querySelector(BLOCKS)
    : (!outer || outer.querySelector(BLOCKS)) && [...el.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  return own ? cut(fold(el.innerText), BLOCK_TEXT) : "";
}
function labelOfBlock(el) {
  if (el.matches(FIELDS)) return labelOf(el) || attr(el, "placeholder");
  if (tagOf(el) === "tr") return fold(el.querySelector("th")?.innerText);
  let term = tagOf(el) === "dd" ? el.previousElementSibling : null;
  while (term && tagOf(term) === "dd") term = term.previousElementSibling;
  return term ? fold(term.innerText) : "";
}
// The texts of a page block by block, each with the headings it stands under.
const readBlocks = remembering((limit) => {
  const found = [];
  const headings = [];
  for (const el of all(document, `${BLOCKS},${FIELDS},div,span,section,a,strong,time,output`)) {
    if (found.length >= limit) break;
    if (!visible(el)) continue;
    const under = headings.filter(({ scope }) => !scope || holds(scope, el)).map((heading) => heading.text);
    if (el.matches(HEADINGS)) {
      const level = Number(attr(el, "aria-level") || tagOf(el).slice(1)) || 2;
      while (headings.length && headings.at(-1).level >= level) headings.pop();
      headings.push({ level, text: textOf(el), scope: closest(el, `${ENCLOSING},main,header,footer`) });
    }
    const text = blockText(el);
    if (text) found.push({ ref: ref(el), role: roleOf(el) || tagOf(el), label: labelOfBlock(el), text, under });
  }
  return found;
});

// An element's HTML without what stands in secret fields.
function htmlOf(el) {
  const copy = el.cloneNode(true);
  const pairs = [[el, copy], ...[...el.querySelectorAll("input")].map((input, at) => [input, copy.querySelectorAll("input")[at]])];
  for (const [original, shown] of pairs) if (shown && tagOf(original) === "input" && isSecret(original)) shown.removeAttribute("value");
  return copy.outerHTML;
}
const readHtml = () => `${document.doctype ? `<!DOCTYPE ${document.doctype.name}>\n` : ""}${htmlOf(document.documentElement)}`;

function readTexts(find, limit) {
  const found = fitting(find);
  return { total: found.length, texts: found.slice(0, limit).map((el) => (el.matches("input,select,textarea") ? shownValue(el) : fold(el.innerText ?? el.textContent))) };
}

// The part of an item that a field means: by a selector, with "@name" for an attribute; or by what the item's own marks call it.
const placeOf = (where) => /^(.*?)(?:@([\w-]+))?$/s.exec(where.trim()).slice(1);
function partOf(item, field, where) {
  if (!where) return { el: markedAs(item, field) };
  const [selector, attribute] = placeOf(where);
  return { el: selector && selector !== "." ? all(item, selector).find(visible) || all(item, selector)[0] : item, attribute };
}
const bare = (text) => text.toLowerCase().replace(/[\W_]+/g, "");
function markedAs(item, field) {
  const wanted = bare(field);
  const marked = all(item, "[itemprop],[data-field],[data-testid],[name],[class]").find((el) =>
    [attr(el, "itemprop"), attr(el, "data-field"), attr(el, "data-testid"), attr(el, "name"), ...el.classList].some((mark) => bare(mark) === wanted),
  );
  if (marked) return marked;
  const term = all(item, "dt,th").find((el) => bare(el.innerText || "").startsWith(wanted));
  if (term && tagOf(term) === "dt") return term.nextElementSibling;
  if (term && holds(item, term.nextElementSibling)) return term.nextElementSibling;
  const cells = tagOf(item) === "tr" ? [...item.cells] : [];
  const heads = cells.length ? [...(item.closest("table").tHead?.rows[0] || item.closest("table").rows[0]).cells] : [];
  const at = heads.findIndex((head) => bare(head.innerText || "") === wanted);
  if (at >= 0) return cells[at];
  return ["title", "name", "heading"].includes(wanted) ? all(item, HEADINGS)[0] : null;
}
function partValue({ el, attribute }) {
  if (!el) return null;
  if (attribute) {
    if (attribute === "value" && isSecret(el)) return null;
    return attribute === "href" && el.hasAttribute("href") ? addressOf(el) : el.getAttribute(attribute);
  }
  if (el.matches("input,select,textarea")) return ["checkbox", "radio"].includes(el.type) ? String(el.checked) : shownValue(el);
  return tagOf(el) === "img" ? attr(el, "alt") : attr(el, "content") || fold(el.innerText ?? el.textContent);
}
function isSelector(selector) {
  try {
    return !selector || selector === "." || !document.createDocumentFragment().querySelector(selector);
  } catch {
    return false;
  }
}
function readItems(find, fields, limit) {
  const broken = Object.entries(fields).filter(([, where]) => !isSelector(placeOf(where)[0])).map(([field, where]) => `${field}: ${where}`);
  if (broken.length) return { broken };
  const items = find ? fitting(find) : [document.body];
  const read = (item) => Object.fromEntries(Object.entries(fields).map(([field, where]) => [field, partValue(partOf(item, field, where))]));
  return { items: items.slice(0, limit).map(read), total: items.length };
}
// Which of the given texts the page does not show word for word, and what it shows instead where there are any; of another
// address, what is read there without leaving the page.
const SHOWN_WHOLE = 200_000;
async function lacks(texts, address) {
  let shown = fold(shownText(document.body));
  if (address && new URL(address, document.baseURI).href !== location.href) {
    const answer = await nativeFetch(address, { credentials: "same-origin" });
    if (!answer.ok) return { missing: texts, shown: "" };
    shown = fold(new DOMParser().parseFromString(await answer.text(), "text/html").body.textContent);
  }
  const missing = texts.filter((text) => fold(text) && !shown.includes(fold(text)));
  return { missing, shown: missing.length ? cut(shown, SHOWN_WHOLE) : "" };
}
