// What the page calls the part around an element, where nothing nearer says of what it is: a question, a tab, a heading, the
// rows before it, what has opened it. A lookalike in a part that is called otherwise is that of another thing, though it may be
// the only one.

const PARTS_OF_PAGES = new Set(["navigation", "banner", "contentinfo", "complementary", "search", "main"]);
const MOST_ASKED = 8; // texts of a question: a dialog that says more is a page of its own
const NAMING_TEXTS = 3;
const MOST_SAID = 400; // texts of a dialog that are looked through for those of a question
// A heading speaks for what follows it where it stands beside it, or alone in a part that is drawn around it: not that of a
// card of a list, of another part of the page, or of what has words of its own. The only one of the first rank speaks for the
// page.
function speaksFor(heading, el) {
  const part = (at) => [...ancestors(at)].find((one) => PARTS_OF_PAGES.has(roleOf(one)));
  if (part(heading) !== part(el)) return false;
  const inner = [...ancestors(heading)].filter((at) => !holds(at, el));
  if (inner.length && siblingsOf(inner.at(-1)).some((other) => !holds(other, el) && all(other, HEADINGS).length)) return false;
  const isTitle = rankOf(heading) === 1 && all(document, HEADINGS).filter((one) => rankOf(one) === 1 && visible(one)).length === 1;
  const own = textsWithout(heading);
  return isTitle || inner.every((at) => textsWithout(at).every((text) => own.includes(text)));
}
// The headings that speak for an element, nearest first, also those that stand in the page itself.
const namingHeadings = (el) => (document.body ? sectionHeadings(document.body, el, (heading) => speaksFor(heading, el)) : []);
// A thing may have several rows, of which an earlier one is called as it is: what stands between the lookalike of the thing
// before and the row of the element. `law`: where another thing of the list has such rows, too.
function rowsBefore(el, law = false) {
  const [role, name] = [roleOf(el), nameOf(el)];
  const card = [...ancestors(el)].find((at) => at.matches(TYPICAL_CARDS));
  const rows = card?.parentNode ? [...card.parentNode.children].filter((at) => tagOf(at) === tagOf(card) && visible(at)) : [];
  const hasOne = (row) => row === card || likeIn(row, el, role, name).length > 0;
  const isHead = (row) => row.children.length > 0 && [...row.children].every((at) => tagOf(at) === "th");
  const before = (own) => rows.slice(rows.slice(0, own).findLastIndex(hasOne) + 1, own).filter((row) => !isHead(row));
  const own = rows.indexOf(card);
  const found = own < 1 ? [] : before(own);
  if (!found.length) return [];
  const beside = rows.findIndex((row, at) => at !== own && hasOne(row));
  if (law && (beside < 0 || !before(beside).length)) return [];
  return found.flatMap((row) => textsWithout(row).filter(isWord)).slice(0, NAMING_TEXTS);
}
// What has opened a menu or a list stands in the card of what it is about, wherever the menu is drawn.
const POPUPS = "[role=menu],[role=listbox],[role=dialog],[popover]";
function openerCard(el) {
  const popup = closest(el, POPUPS);
  if (!popup) return [];
  const by = popup.id ? ["aria-controls", "aria-owns", "popovertarget"].flatMap((name) => withValue(document, name, popup.id)) : [];
  const open = by.length ? by : all(document, "[aria-haspopup][aria-expanded=true]").filter((at) => !holds(popup, at));
  if (open.length !== 1) return [];
  const [role, name] = [roleOf(open[0]), nameOf(open[0])];
  const card = [...ancestors(open[0])].find((at) => !isPage(at) && isCard(at, open[0], role, name));
  return card ? textsWithout(card).filter(isWord) : [];
}
// What a note says beside a button in it: *Undo* undoes that.
function noteAround(el) {
  const note = closest(el.parentElement, SAYS);
  return note ? textsOf(note).filter((text) => isWord(text) && text !== nameOf(el)) : [];
}
// What describes a button whose name has no word, or by reference.
function describedAs(el) {
  if (el.matches(FIELDS)) return [];
  if (seenAs?.el === el && seenAs.described) return seenAs.described;
  const title = /\p{L}/u.test(nameOf(el)) ? "" : fold(attr(el, "title"));
  return [title, ...refsOf(el, "aria-describedby").map((at) => fold(at.textContent))].filter((text) => isWord(text) && text !== nameOf(el));
}
const stepNow = () => all(document, "[aria-current=step]").filter(visible).map((at) => fold(at.textContent));
// What stands beside an element, by kind.
const BESIDE_IT = { before: rowsBefore, opener: (el) => openerCard(el), note: noteAround, description: describedAs, step: stepNow };

const GROUPS = "fieldset,[role=group],[role=region],[role=tabpanel],section,details";
const partCalled = (at) => (tagOf(at) === "details" ? summaryOf(at) : cut(fold(nameOf(at)), 120));
const groupAround = (el) => [...ancestors(el)].find((at) => at.matches(GROUPS) && partCalled(at));
const asks = (dialog) => !all(dialog, FIELDS).some(isOffered) && textsWithout(dialog).length <= MOST_ASKED;
// Marks of the parts around an element those that say of what it is, and adds others that do.
function markNaming(el, scopes) {
  const add = (node, kind, name, texts = []) => scopes.push([node, { kind, role: "", name, texts, names: true }]);
  for (const [kind, find] of Object.entries(BESIDE_IT)) if (find(el, true).length) add(el, kind, "", find(el, true).slice(0, NAMING_TEXTS));
  for (const [node, scope] of scopes.filter(([, { kind }]) => kind === "dialog")) {
    scope.names = true;
    if (asks(node)) scope.texts = textsWithout(node).filter((text) => text !== scope.name).slice(0, MOST_ASKED);
  }
  const card = scopes.find(([, { kind, words }]) => kind === "card" && words?.length)?.[0];
  const isNearer = (node) => !card || holds(card, node);
  const group = groupAround(el);
  if (group && isNearer(group)) add(group, "part", partCalled(group));
  const [heading] = card ? [] : namingHeadings(el);
  if (!heading) return;
  const name = cut(nameOf(heading), 120);
  // That of the page is no evidence: its address says what it is about, and what all pages have would depend on it.
  const section = scopes.find(([, scope]) => scope.kind === "section" && scope.name === name)?.[1];
  if (section) section.names = true;
}
// A number that counts what follows it says nothing of the part: `3 results`. That of a step does: `2: Payment`.
const COUNTS_NEXT = /(?<![\p{L}\p{N}])\p{N}+(?:[.,:]\p{N}+)*\s*\p{L}[\p{L}\p{M}]*/gu;
// Which words are of times is asked last: to know them takes a document longer than all else here.
const lacksNaming = (text, said) => lettersIn(withoutZone(text).replace(COUNTS_NEXT, " ")).some((word) => word.length > 1 && !said.has(word) && !wordsOfTimes().has(word));
// Whether another part of the page is called as that of an element was.
const CALLS = { section: HEADINGS, part: "legend,summary,[role=tab]" };
const isCalledSo = (el, kind, name) => all(document, CALLS[kind] || "none").some((at) => visible(at) && !holds(at, el) && fold(at.textContent) === name);
// What such parts around an element say: nearest first, each as it is called, and as all that it says.
function saidAround(el, kind) {
  const named = (at) => [fold(nameOf(at)), fold(nameOf(at))];
  if (BESIDE_IT[kind]) return BESIDE_IT[kind](el).length ? [["", BESIDE_IT[kind](el).join(" / ")]] : [];
  if (kind === "section") return namingHeadings(el).map(named);
  const part = kind === "dialog" ? [...ancestors(el)].find(isDialog) : groupAround(el);
  if (!part) return [];
  if (kind !== "dialog") return [[partCalled(part), partCalled(part)]];
  // Text by text, as it was recorded: nothing stands between two paragraphs that a script has drawn.
  return [[fold(nameOf(part)), [nameOf(part), ...textsOf(part, { most: MOST_SAID }), part.textContent].map(fold).join(" ")]];
}
// What of such a part is not said any more of the one around an element: [what, what is said there now], or null. Numbers may be
// others, but where another part is called by the recorded ones. A heading, a panel or a group may be reworded: it contradicts
// where another one of the page is called as it was. A question, a note or what is beside the element is about a thing.
const REWORDED = new Set(["section", "part"]);
function unsaid(el, { kind, texts, exact }) {
  const lacking = (said) => {
    const words = new Set(exact ? [] : lettersIn(said));
    return texts.filter((text) => (exact ? !said.includes(text) : lacksNaming(text, words)));
  };
  const around = saidAround(el, kind);
  // What opened a menu may not say so any more.
  if (!around.length && kind === "opener") return null;
  const now = cut(around.map(([, said]) => said).join(" / "), 200);
  const least = around.length ? around.map(([, said]) => lacking(said)).sort((one, other) => one.length - other.length)[0] : texts;
  const elsewhere = () => !around.some(([called]) => called === texts[0]) && isCalledSo(el, kind, texts[0]);
  if (least.length && (exact || !REWORDED.has(kind) || elsewhere())) return [least.join(", "), now];
  return !least.length && elsewhere() ? [texts[0], now] : null;
}
