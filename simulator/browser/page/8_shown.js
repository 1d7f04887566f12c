// What a document shows, place by place: texts with what labels them, fields with what they hold, pictures, files. For each the
// card that it stands in, and by which addresses that card is known. Nothing of it is stored: it is compared with what
// the user put in. Not responsible for: what it means.

const SHOWN_PLACES = 3000;
const SHOWN_MS = 500; // a page that shows more is read in part
const SHOWN_TEXT = 4000;
const SHOWN_CARD = 600;
const SHOWN_KEYS = 12;
const KEYED_ELEMENTS = 100;
const LABEL_TEXT = 60;
// What a text runs on through: the words of one line are one text, whatever marks some of them.
const INLINE = new Set(["a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr"]);
const UNSHOWN = new Set(["script", "style", "template", "noscript", "textarea", "select", "option", "title", "datalist", "svg", "canvas", "iframe"]);
const SEARCHES = "[role=search],search,form[method=get i],form[action]:not([method],[action=''])";
const HAS_VALUE = "input:not([type=hidden],[type=submit],[type=button],[type=image],[type=reset],[type=file],[type=password]),textarea,select";
// A box or a list that a script draws says by itself what it holds.
const DRAWN_FIELD = ["switch", "checkbox", "combobox"].map((role) => `[role=${role}]:not(input,select,textarea)`).join() + ",button[aria-haspopup=listbox]";

// What a page's own marks call a text: its name in the data, its class.
const MARKS = ["itemprop", "data-field", "data-label", "data-title", "data-colname", "data-testid", "id"];

const lineOf = (node) => {
  let at = node.parentElement;
  while (at && INLINE.has(tagOf(at)) && at.parentElement) at = at.parentElement;
  return at;
};

// The names under which a text may stand: the term before it, the heads of its row and its column, the words beside it.
function labelsOf(line, nodes) {
  const found = [];
  const add = (el) => {
    const text = el && el !== line ? once("folded", el, () => fold(el.textContent)) : "";
    if (text && text.length <= LABEL_TEXT) found.push(text);
  };
  const cell = line.closest("td,th,[role=cell],[role=gridcell]");
  if (cell) {
    const row = cell.parentElement;
    add(row.querySelector("th,[role=rowheader]"));
    add(cell.previousElementSibling);
    const table = cell.closest("table,[role=table],[role=grid]");
    const head = table?.tHead?.rows[0] || table?.querySelector("tr,[role=row]");
    if (head && head !== row) add(head.children[[...row.children].indexOf(cell)]);
  }
  const term = line.closest("dd");
  if (term) {
    let at = term.previousElementSibling;
    while (at && tagOf(at) === "dd") at = at.previousElementSibling;
    add(at);
  }
  for (let at = line, hops = 0; at && hops < 3 && found.length < 6; at = at.parentElement, hops++) {
    if (at.previousElementSibling) {
      add(at.previousElementSibling);
      break;
    }
  }
  const first = nodes.length > 1 ? fold(nodes[0].data) : "";
  if (first && first.length <= LABEL_TEXT) found.push(first);
  return [...new Set(found)];
}

// Where the links of a line lead on this site, with what each is called. One that leads to a route of a script, or within
// this document, does not lead to all of it; where "#" alone leads, only a script knows.
const leadsToScript = (a) => attr(a, "href").trim() === "#";
const goalOf = (a) => a.pathname + a.search + (leadsToScript(a) ? "#" : /^#!?\//.test(a.hash) || (a.hash.length > 1 && a.pathname === location.pathname) ? a.hash : "");
const linksOf = (nodes) => [...new Set(nodes.map((node) => closest(node.parentElement, "a[href]")))].filter((a) => a && a.origin === location.origin).slice(0, 4).map((a) => [cut(fold(a.textContent), SHOWN_TEXT), goalOf(a)]);
const marksOf = (line, nodes) => [...new Set([line, ...nodes.map((node) => node.parentElement)])].slice(0, 4).filter((el) => el.hasAttributes()).flatMap((el) => [...MARKS.map((name) => attr(el, name)).filter(Boolean), ...[...el.classList].slice(0, 4)]);

// A card is one of several alike siblings. What is alike: a row or a list item, or elements of one tag and one class.
const kindOf = (el) => `${tagOf(el)}.${attr(el, "class")}`;
// Between two cards may stand what shows nothing: a rule, an anchor that others lead to, a script.
const MOST_BETWEEN = 3;
const PICTURED = "img,svg,canvas,video,object,iframe,input,select,textarea,button";
const showsNothing = (el) => UNSHOWN.has(tagOf(el)) ? !el.matches(PICTURED) : !/\S/.test(el.textContent) && !el.matches(PICTURED) && !el.querySelector(PICTURED);
// One may have a class more, by which the page says how it stands: `item`, `item private`.
const hasAll = (one, other) => other.classList.length > 0 && [...other.classList].every((name) => one.classList.contains(name));
// Or a class holds the thing's own id: `topic topic-41`, where an address or an id in it says 41, and none of its neighbour.
const holdsPart = (key, part) => key.split(part).some((before, at, all) => at < all.length - 1 && !/[a-z0-9]$/i.test(before) && !/^[a-z0-9]/i.test(all[at + 1]));
const ownPart = (word, other) => {
  let at = [...word].findIndex((sign, place) => sign !== other[place]);
  while (at > 0 && /[a-z0-9]/i.test(word[at - 1])) at--;
  return word.slice(Math.max(at, 0));
};
const saysOwn = (el, word, other) => /\d/.test(word) && once("keys", el, keysOf).some((key) => holdsPart(key, ownPart(word, other)));
function areNumbered(one, other) {
  const [ones, others] = [[...one.classList], [...other.classList]];
  const pairs = ones.map((word, at) => [word, others[at]]).filter(([word, beside]) => word !== beside);
  return ones.length === others.length && pairs.every(([word, beside]) => saysOwn(one, word, beside) && saysOwn(other, beside, word) && !saysOwn(one, beside, word) && !saysOwn(other, word, beside));
}
const areLike = (one, other) => kindOf(one) === kindOf(other) || (effectsVersion > 11 && tagOf(one) === tagOf(other) && (hasAll(one, other) || hasAll(other, one) || areNumbered(one, other)));
function shownBeside(el, way) {
  let at = el[way];
  for (let left = MOST_BETWEEN; at && effectsVersion > 11 && left && !areLike(at, el) && showsNothing(at); left--) at = at[way];
  return at;
}
// Rows in stripes, `row odd` and `row even`: the ones on both sides of a row are like each other, and share a class with it.
const shareClass = (one, other) => tagOf(one) === tagOf(other) && [...one.classList].some((name) => other.classList.contains(name));
const isBetween = (el, one, other) => !!el && !!one && !!other && shareClass(el, one) && areLike(one, other);
function isStripe(el) {
  const [before, after] = SIDES.map((way) => shownBeside(el, way));
  return isBetween(el, before, after) || isBetween(before, before && shownBeside(before, SIDES[0]), el) || isBetween(after, el, after && shownBeside(after, SIDES[1]));
}
const SIDES = ["previousElementSibling", "nextElementSibling"];
const isAlike = (el) => {
  if (!el.parentElement && !(effectsVersion > 11 && el.parentNode instanceof ShadowRoot)) return false;
  if (el === document.body) return false;
  if (CARD_TAGS.has(tagOf(el)) || CARD_ROLES.has(attr(el, "role"))) return true;
  // The tag of an element of the site's own says of what kind it is.
  const isOwn = effectsVersion > 11 && tagOf(el).includes("-");
  if (!isOwn && (!/^(?:div|section|a|figure|dl|details|tbody)$/.test(tagOf(el)) || !attr(el, "class"))) return false;
  return SIDES.map((way) => shownBeside(el, way)).some((at) => !!at && areLike(at, el)) || (effectsVersion > 11 && isStripe(el));
};
const ONLY_GUARDS = /csrf|token|nonce|authenticity/i; // what only guards a form is another value each time
function keysOf(card) {
  const told = [card, ...all(card, "a[href],form[action],button[value],input[type=hidden],[data-id],[data-key],[data-pk],[data-uuid],[id]")];
  const keys = told.slice(0, 60).flatMap((el) => [
    tagOf(el) === "a" || tagOf(el) === "area" ? attr(el, "href") : "", tagOf(el) === "form" ? attr(el, "action") : "",
    ["button", "input"].includes(tagOf(el)) && !isSecret(el) && !ONLY_GUARDS.test(attr(el, "name")) ? attr(el, "value") : "", attr(el, "data-id"), attr(el, "data-key"), attr(el, "data-pk"), attr(el, "data-uuid"), attr(el, "id"),
  ]);
  // What scripts ask for, and call a thing by, stands in attributes of the page's own.
  keys.push(...[card, ...all(card, "*")].slice(0, KEYED_ELEMENTS).flatMap(scriptedKeysOf));
  return [...new Set(keys.filter((key) => key && key.length <= 300))].slice(0, SHOWN_KEYS);
}

// Which elements a place stands in, without what was server-generated: another one of the same template has the same.
const pathTo = (el) => (!el || el === document.body || el === document.documentElement ? "" : once("path", el, readPath));
function readPath(el) {
  const own = [tagOf(el), ...[attr(el, "id"), ...el.classList].slice(0, 6).filter((word) => word && masked(word) === word)].join(".");
  return cut(`${own}<${pathTo(parentOf(el))}`, SHOWN_TEXT);
}

// What the page calls the elements around a place that is in no card: `comment-41` may be the one of a single comment.
const idsAround = (el) => [...ancestors(el)].flatMap((at) => [attr(at, "id"), attr(at, "data-id"), attr(at, "data-key"), attr(at, "data-pk"), attr(at, "data-uuid")]).filter((id) => /\d/.test(id) && id.length <= 80).slice(0, SHOWN_KEYS);

// All that an element holds, hidden parts as well; a word ends where a block does, whether a space stands there or not.
const blockAround = (el) => once("block", el, () => (el.parentElement && /^(?:inline|contents|ruby)$/.test(getComputedStyle(el).display) ? blockAround(el.parentElement) : el));
function textInBlocks(el) {
  let [text, block] = ["", null];
  for (const { parentElement, data } of textNodesIn(el)) {
    const own = parentElement && blockAround(parentElement);
    text += (own === block ? "" : " ") + data;
    block = own;
  }
  return text;
}
// Where the main part of a page says a name of its user: the line, and what is known of the cards around it. What stands at
// the edges of every page, such as a menu, says who is logged in.
const NAMED_PLACES = 40;
const MAIN = "main,[role=main]";
const EDGES = "nav,[role=navigation],[role=banner],[role=contentinfo],[role=search],header:not(main *,article *,section *),footer:not(main *,article *,section *)";
function readNamed(names) {
  const folded = names.map((name) => fold(name).toLowerCase());
  const text = folded.length && document.body ? textWithin(document.body).toLowerCase() : "";
  const words = folded.map((name) => name.split(" ").sort((one, other) => other.length - one.length)[0]).filter((word) => text.includes(word));
  if (!words.length) return [];
  const mains = all(document, MAIN).filter(visible);
  const isMain = (el) => (mains.length === 1 ? holds(mains[0], el) : true) && !closest(el, EDGES) && !messageOf(el);
  const found = new Map();
  for (const node of textNodesIn(document.body)) {
    if (found.size >= NAMED_PLACES) break;
    const { parentElement: el, data } = node;
    if (!el || !words.some((word) => data.toLowerCase().includes(word)) || UNSHOWN.has(tagOf(el))) continue;
    const line = lineOf(node);
    if (!line || found.has(line) || !visible(el) || !isMain(el)) continue;
    const said = fold(line.textContent);
    if (!folded.some((name) => said.toLowerCase().includes(name))) continue;
    const cards = [line, ...ancestors(line)].filter(isAlike).map(keysOf);
    found.set(line, { path: pathTo(line), text: cut(said, SHOWN_TEXT), cards, links: linksOf([node]) });
  }
  return [...found.values()];
}
// The lines of text of a document, each with its words in the order of the page; nothing more once it is late. They are
// asked for twice of a document that comes: those that were read to the end are read once.
function shownLines(late) {
  if (memo?.lines) return memo.lines;
  const lines = new Map(); // of a block, its words
  let cutShort = false;
  const take = (node) => {
    const line = lineOf(node);
    const known = lines.get(line);
    if (known) known.push(node);
    else if (line && /\S/.test(node.data)) lines.set(line, [node]);
  };
  // A walker that asks a filter for each node takes twice as long.
  const collect = (root) => {
    for (let node = root.firstChild; node && !(cutShort ||= late()); ) {
      let inner = null;
      if (node.nodeType === 3) take(node);
      else if (node.nodeType === 1 && !UNSHOWN.has(tagOf(node))) {
        if (node.shadowRoot) collect(node.shadowRoot);
        inner = node.firstChild;
      }
      if (!inner) {
        while (node !== root && !node.nextSibling) node = node.parentNode;
        inner = node === root ? null : node.nextSibling;
      }
      node = inner;
    }
  };
  if (document.body) collect(document.body);
  if (memo && !cutShort) memo.lines = lines;
  return lines;
}
// What says the parts of a list one beside the other, such as tags: short texts of one kind, and nothing else.
const ROW_PARTS = 12;
const ROW_TEXT = 40;
function rowOf(line, text) {
  const row = line.parentElement;
  if (!row || text.length > ROW_TEXT || row === document.body) return null;
  const parts = [...row.children];
  const alike = parts.length > 1 && parts.length <= ROW_PARTS && parts.every((el) => kindOf(el) === kindOf(line) && fold(el.textContent).length <= ROW_TEXT);
  return alike && [...row.childNodes].every((node) => node.nodeType !== 3 || !/\S/.test(node.data)) ? row : null;
}
// Names a line by where it stands and what it says, so that it is known on other pages: 53 bits of both.
function standOf(line, text) {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (const char of `${pathTo(line)} ${text}`) {
    const code = char.codePointAt(0);
    high = Math.imul(high ^ code, 2654435761);
    low = Math.imul(low ^ code, 1597334677);
  }
  return (high >>> 0) + (low & 0x1fffff) * 2 ** 32;
}
const WHOLE_LINES = 600;
const WHOLE_LINE = 80; // characters: what is longer stands in no menu
const WHOLE_MS = 40;
function wholeStands() {
  const end = now() + WHOLE_MS;
  const lines = [...shownLines(() => now() > end)].slice(0, WHOLE_LINES);
  return lines.map(([line, nodes]) => [line, fold(nodes.map((node) => node.data).join(""))]).filter(([, text]) => text.length <= WHOLE_LINE).map(([line, text]) => standOf(line, text));
}

// What a text says, or lists, that is a name which is asked for: a page may show a tick by the name of its box alone, as a
// badge. With the cards around it beside which another one does not say it: that tells it from what each of them shows.
const LABELLING = "label,legend,th,dt,caption,summary,option,[role=columnheader],[role=rowheader]";
const LISTED = /\s*[,;|·•]\s+|\s+[|·•/]\s+/;
const MOST_BESIDE = 60;
const saysThat = (el, item) => asCalled(el.textContent).includes(item);
const isHeadOf = (el) => tagOf(el) === "tr" && !el.querySelector("td");
const besideWithout = (card, item) => [...card.parentNode.children].slice(0, MOST_BESIDE).some((at) => at !== card && tagOf(at) === tagOf(card) && !isHeadOf(at) && isAlike(at) && !keysOf(at).length === !keysOf(card).length && !saysThat(at, item));
function badgesOf(line, texts, isName, cardOf) {
  if (effectsVersion < 12 || closest(line, LABELLING) || closest(line, ACTIONABLE)) return [];
  const items = [...new Set(texts.flatMap((text) => (text.length <= WHOLE_LINE ? [text, ...text.split(LISTED)] : [])))].filter(isName).map(asCalled);
  return items.map((item) => [item, [line, ...ancestors(line)].filter((el) => isAlike(el) && besideWithout(el, item)).map(cardOf)]);
}

const DRAWN_VALUE = "img[alt],[role=img][aria-label]";
const NAMED = /^([^:\n]{1,60}):/; // `Rating: ★★★★★`
const asCalled = (text) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
// What is asked for: words in small letters of what was put in, and names of the fields that it was put into. A place is
// reported where it shows one of the words or is called by one of the names; cards are looked at for those alone.
const readShown = remembering(({ words, names, pictures, files = [], own = [] }, most = SHOWN_PLACES) => {
  const called = new Set(names);
  const isCalled = new Map(); // of a label; the heads of a table stand beside many places
  const isName = (label) => {
    if (!isCalled.has(label)) isCalled.set(label, called.has(asCalled(label)));
    return isCalled.get(label);
  };
  const wanted = (text, labels) => {
    const low = text.toLowerCase();
    return words.some((word) => low.includes(word)) || labels.some(isName);
  };
  const storedIn = storing();
  const tell = (el, place) => places.push({ ...place, within: idsAround(el), ...storedIn(place), path: pathTo(el) });
  const cards = [];
  const numbered = new Map();
  const cardOf = (el) => {
    if (!el || el === document.body || el === document.documentElement) return -1;
    if (!numbered.has(el)) {
      const outer = cardOf(parentOf(el));
      if (isAlike(el)) {
        cards.push({ keys: keysOf(el), text: cut(fold(effectsVersion > 11 ? textInBlocks(el) : textWithin(el)), SHOWN_CARD), outer });
        numbered.set(el, cards.length - 1);
      } else numbered.set(el, outer);
    }
    return numbered.get(el);
  };
  const end = now() + SHOWN_MS;
  let partial = false;
  const late = () => (partial ||= now() > end);
  const places = [];
  const rows = new Set();
  for (const [line, nodes] of shownLines(late)) {
    if (late() || places.length >= most) break;
    if (effectsVersion > 11 && isDrawnRadio(line)) continue; // it is offered there, whether or not it is on
    const labels = labelsOf(line, nodes);
    const marks = marksOf(line, nodes);
    const whole = line.textContent;
    const [, before] = (effectsVersion > 11 && NAMED.exec(whole.trimStart())) || [];
    if (!wanted(whole, before ? [before, ...labels, ...marks] : [...labels, ...marks])) continue;
    const shown = nodes.filter((node) => visible(node.parentElement));
    if (!shown.length) continue;
    const parts = shown.map((node) => fold(node.data)).filter(Boolean);
    const text = cut(fold(shown.map((node) => node.data).join("")), SHOWN_TEXT);
    const edits = !!closest(line, "[contenteditable=''],[contenteditable=true]");
    const stands = text.length <= WHOLE_LINE ? standOf(line, fold(nodes.map((node) => node.data).join(""))) : 0;
    tell(line, { kind: "text", text, parts: parts.length > 1 ? parts.slice(0, 12) : [], labels, marks, card: cardOf(line), says: !!messageOf(line), edits, acts: !!closest(line, ACTIONABLE), links: linksOf(shown), stands, badges: badgesOf(line, [text, ...parts], isName, cardOf) });
    const row = rowOf(line, text);
    if (row && !rows.has(row)) {
      rows.add(row);
      const said = [...row.children].map((el) => fold(effectsVersion > 11 ? textInBlocks(el) : el.textContent));
      tell(row, { kind: "text", text: said.join(", "), parts: said, labels: labelsOf(row, []), marks: marksOf(row, []), card: cardOf(row), says: !!messageOf(row), edits: false, stands: effectsVersion > 11 ? stands : 0, badges: badgesOf(row, said, isName, cardOf) });
    }
  }
  // A drawing says by its text alternative what stands under the name of a field: a check mark, a rating.
  for (const el of effectsVersion > 11 ? all(document, DRAWN_VALUE) : []) {
    if (late() || places.length >= most) break;
    const text = fold(attr(el, "alt") || attr(el, "aria-label"));
    const before = el.previousSibling?.nodeType === 3 ? fold(el.previousSibling.data).replace(/\s*:$/, "") : "";
    const labels = [before, ...labelsOf(el, [])].filter((label) => label && label.length <= LABEL_TEXT);
    if (!text || text.length > WHOLE_LINE || !labels.some(isName) || closest(el, ACTIONABLE) || !visible(el)) continue;
    tell(el, { kind: "text", text, parts: [], labels, card: cardOf(el), says: !!messageOf(el), edits: false });
  }
  // An address is shown by the link that leads there, whatever that is called.
  for (const el of all(document, "a[href^='http']")) {
    if (late() || places.length >= most) break;
    if (el.origin === location.origin || !words.some((word) => el.href.toLowerCase().includes(word)) || !visible(el)) continue;
    tell(el, { kind: "link", text: attr(el, "href"), parts: [], labels: [], card: cardOf(el), says: !!messageOf(el), edits: false });
  }
  for (const el of all(document, HAS_VALUE)) {
    if (late() || places.length >= most) break;
    if (isSecret(el)) continue;
    const box = el.type === "checkbox" || el.type === "radio";
    const options = tagOf(el) === "select" ? [...el.selectedOptions] : [];
    const beside = effectsVersion > 11 && !box && !el.value && isPicker(el) ? chosenBeside(el) : [];
    const holds = tagOf(el) === "select" ? options.flatMap((one) => [fold(one.label), one.value]) : box ? [attr(el, "value")] : beside.length ? beside : [cut(el.value, SHOWN_TEXT)];
    const labels = [labelOf(el), captionOf(el), attr(el, "placeholder"), attr(el, "name")].filter(Boolean);
    if (!wanted(holds.join(" "), labels)) continue;
    tell(el, {
      kind: box ? "box" : "field", text: holds[0] || "", parts: holds.slice(1), labels, form: formShape(formOf(el)), on: box ? el.checked : null,
      card: cardOf(el), says: false, edits: true, searches: el.type === "search" || !!closest(el, SEARCHES), unsaid: !isSaid(el),
    });
  }
  for (const el of effectsVersion > 11 ? all(document, DRAWN_FIELD) : []) {
    if (late() || places.length >= most) break;
    const text = cut(fold(el.textContent), SHOWN_TEXT);
    const labels = [nameOf(el), labelOf(el), captionOf(el)].filter((label) => label && label !== text);
    const box = !el.matches(OPENS_LIST);
    if (!visible(el) || isOpenerOfAnother(el) || !wanted(text, box ? [...labels, text] : labels)) continue;
    tell(el, { kind: box ? "box" : "field", text: box ? "" : text, parts: [], labels: box ? [...labels, text].filter(Boolean) : labels, form: formShape(formOf(el)), on: box ? attr(el, "aria-checked") === "true" : null, card: cardOf(el), says: false, edits: true });
  }
  for (const [el, [text = "", ...parts]] of effectsVersion > 11 ? drawnRadios() : []) {
    if (late() || places.length >= most) break;
    const labels = [...new Set([nameOf(el), labelOf(el), captionOf(el)])].filter(Boolean);
    if (wanted([text, ...parts].join(" "), labels)) tell(el, { kind: "field", text, parts, labels, form: formShape(formOf(el)), on: null, card: cardOf(el), says: false, edits: true });
  }
  for (const el of pictures ? document.images : []) {
    if (late() || places.length >= most) break;
    if (el.complete && el.naturalWidth > 1 && visible(el)) tell(el, { kind: "picture", text: el.currentSrc || el.src, parts: [shapeOf(el.currentSrc || el.src)], labels: [attr(el, "alt")].filter(Boolean), form: formShape(formOf(el)), card: cardOf(el), says: false, edits: false, look: lookOf(el) });
  }
  const links = filesNamed(files);
  for (const el of links) {
    if (late() || places.length >= most) break;
    if (fileSums.has(el.href)) tell(el, { kind: "file", text: attr(el, "href"), parts: [shapeOf(el.href)], labels: [fold(el.textContent)], card: cardOf(el), says: !!messageOf(el), edits: false, look: fileSums.get(el.href) });
  }
  const coming = (!!pictures && picturesComing()) || links.some((el) => !fileSums.has(el.href));
  fileSums.clear(); // another file may be there when the page is read again
  return { document: documentToken, places, cards, named: readNamed(own), partial: partial || places.length >= most, coming };
});
// What a document says, without what its lists offer: a browser gives each option as a line, though nothing was chosen.
function saidBy(body) {
  const offered = new Map();
  for (const { text } of all(document, "select option").slice(0, WHOLE_OPTIONS)) offered.set(fold(text), (offered.get(fold(text)) || 0) + 1);
  const text = effectsVersion > 11 ? shownText(body) : body?.innerText || "";
  if (!offered.size) return text;
  const isOffered = (line) => {
    const left = offered.get(fold(line)) || 0;
    offered.set(fold(line), left - 1);
    return left > 0;
  };
  return text.split("\n").filter((line) => !isOffered(line)).join("\n");
}
const WHOLE_OPTIONS = 2000;
// All that a document says and pictures, to know later what stood there before.
const readWhole = (most, own = []) => ({ status: statusOf(), named: readNamed(own).map(({ path }) => path), tokens: tokensNow(), stands: wholeStands(), ids: all(document, "[id]").map((el) => attr(el, "id")).filter((id) => /\d$/.test(id) && id.length <= 80).slice(0, WHOLE_TOKENS), text: cut(saidBy(document.body), most), pictures: [...document.images].slice(0, 500).map((el) => el.currentSrc || el.src) });
