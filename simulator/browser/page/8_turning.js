// A list that goes over several pages: where the next one is, and whether a page has what is sought.

const TURNING = new Set(["page", "p", "pg", "paged", "start", "offset", "from", "skip"]);
const ARROW = /[›»→>⟩❯▶]\s*$/u;
const isCount = (text) => /^\d{1,9}$/.test(text);
const stepsOfPath = (url) => url.pathname.split("/").filter(Boolean);
// By what the next page of a list has another address than this document: a word and a number, in the query or at the end of
// the path; null where it says otherwise what this one says.
function turnedTo(goal) {
  const here = new URL(location.href);
  if (goal.origin !== here.origin || (goal.hash && goal.hash !== here.hash)) return null;
  const asks = (url, name) => url.searchParams.getAll(name).join("\n");
  if (goal.pathname === here.pathname) {
    const names = [...new Set([...here.searchParams.keys(), ...goal.searchParams.keys()])].filter((name) => asks(here, name) !== asks(goal, name));
    const word = names.length === 1 ? names[0] : names.find((name) => TURNING.has(name.toLowerCase()));
    // A pager may say besides how the list is sorted, and how long a page is.
    if (!word || names.some((name) => name !== word && here.searchParams.has(name))) return null;
    return onwards(word, asks(here, word), asks(goal, word), names.length === 1);
  }
  const [own, next] = [here, goal].map(stepsOfPath);
  const [word, count] = next.slice(-2);
  const turned = own.length > 1 && own.at(-2) === word && isCount(own.at(-1));
  const stem = turned ? own.slice(0, -2) : own;
  if (next.length !== stem.length + 2 || goal.search !== here.search || stem.some((step, place) => step !== next[place])) return null;
  return onwards(word, turned ? own.at(-1) : "", count);
}
function onwards(word, from, to, alone = true) {
  const on = isCount(to) && (from === "" || isCount(from)) && Number(to) > Number(from || 0);
  return on ? { count: Number(to), usual: alone && TURNING.has(word.toLowerCase()) } : null;
}
// What a control says that shows what follows in a list, without numbers, marks and arrows (*Load 20 more…*).
const ONWARDS = new Set([
  "next", "next page", "go to next page", "go to the next page", "older", "load more", "show more", "see more", "view more",
  "more results", "load more results", "show more results", "weiter", "nächste", "nächste seite", "ältere", "mehr laden", "mehr anzeigen", "weitere laden",
  "weitere anzeigen", "suivant", "suivante", "page suivante", "charger plus", "afficher plus", "voir plus", "siguiente",
  "página siguiente", "cargar más", "mostrar más", "ver más", "successiva", "pagina successiva", "avanti", "carica altri",
  "carica altro", "mostra altri", "mostra altro", "volgende", "volgende pagina", "meer laden", "meer tonen", "toon meer",
  "próxima", "próxima página", "página seguinte", "carregar mais", "mostrar mais", "ver mais", "nästa", "nästa sida",
  "visa fler", "ladda fler", "næste", "næste side", "vis flere", "neste", "neste side", "seuraava", "näytä lisää", "další",
  "další stránka", "zobrazit další", "načíst další", "następna", "następna strona", "pokaż więcej", "załaduj więcej",
  "следующая", "следующая страница", "показать ещё", "показать еще", "загрузить ещё", "загрузить еще", "sonraki",
  "daha fazla göster", "次へ", "次のページ", "もっと見る", "さらに表示", "下一页", "下一頁", "加载更多", "查看更多", "載入更多", "다음", "더 보기",
]);
const leadsOn = (words) => ONWARDS.has(words.toLowerCase().replace(/[^\p{L}\p{M}]+/gu, " ").trim());
// A picture of an arrow may be called by what is around it alone, as a tooltip.
const saysOnwards = (el) => leadsOn(nameOf(el)) || (!textOf(el) && !!el.parentElement && el.parentElement.childElementCount === 1 && leadsOn(el.parentElement.title));
// Whether a link that names the next page by no number shows this page from there on, as it says.
function isCursor(el) {
  const [here, goal] = [new URL(location.href), new URL(el.href)];
  return goal.origin + goal.pathname === here.origin + here.pathname && goal.search !== here.search && (el.relList.contains("next") || saysOnwards(el));
}
// Where the next page of a list is that shows the page of some number, from 1: its address, or a reference to what a script
// shows it by; neither where there is none. Only what says that it is one is followed: other links with a number may delete
// what it names.
const nextPage = remembering((number) => {
  stood = new Map(shownTexts());
  const found = [];
  for (const el of all(document, "a[href]").filter((one) => /^https?:/.test(one.href) && visible(one))) {
    const turned = turnedTo(new URL(el.href));
    const isNext = turned && (el.relList.contains("next") || saysNumber(el, number + 1) || ARROW.test(el.textContent) || turned.usual);
    if (isNext) found.push({ url: el.href, count: turned.count });
    else if (!turned && isCursor(el)) found.push({ url: el.href, count: Infinity });
  }
  if (found.length) return { url: found.reduce((one, other) => (other.count < one.count ? other : one)).url };
  const control = pageControl(number) || onwardControl();
  if (control) return { ref: ref(control) };
  const end = endOfList();
  return end ? { end: ref(end) } : {};
});
// The last element with a text in that part of the page, scrolled by itself, that has the most of them.
function endOfList() {
  const parts = all(document.body, "*").filter((el) => el.scrollHeight > el.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(el).overflowY) && visible(el));
  const ends = parts.map((part) => [...textNodesIn(part)].filter((node) => node.data.trim() && node.parentElement && visible(node.parentElement)));
  return ends.reduce((one, other) => (other.length > one.length ? other : one), []).at(-1)?.parentElement;
}
const saysNumber = (el, number) => el.textContent.trim() === String(number);
const PAGE_CONTROLS = "button,[role=button],[role=menuitemradio],a:not([href]),a[href^='#'],a[href^='javascript:']";
const isSending = (el) => !!formOf(el) && SENDING.has(typeOf(el));
// A control that says the number of the next page, beside the number of this one, which is marked as where the user is.
function pageControl(number) {
  const [here] = all(document, "[aria-current=page],[aria-current=true]").filter((el) => saysNumber(el, number) && visible(el));
  for (const at of here ? [...ancestors(here)].slice(0, 4) : []) {
    const found = all(at, PAGE_CONTROLS).filter((el) => saysNumber(el, number + 1) && visible(el));
    if (found.length) return found.length === 1 && !isSending(found[0]) ? found[0] : null;
  }
  return null;
}
// The control that says that it shows what follows: there may be one above a list and one below. More of them are each of
// something in it.
function onwardControl() {
  const found = all(document, PAGE_CONTROLS).filter((el) => visible(el) && saysOnwards(el) && !isSending(el));
  const alike = found.length < 3 && new Set(found.map(nameOf)).size === 1;
  return alike && !DISABLED(found.at(-1)) ? found.at(-1) : null;
}
// The texts that stood in this document before its list was turned, by their nodes.
let stood = null;
const shownTexts = () => [...textNodesIn(document.body)].filter((node) => node.data.trim()).map((node) => [node, node.data]);
const MOST = 0.9; // of what stood there: a list that has grown says elsewhere how long it is
// What became of the list that was turned: "grown" where what stood in the document is still there, "turned" where something
// is another one; empty where nothing has changed.
function turnedHow() {
  if (!stood) return "turned";
  const now = new Map(shownTexts());
  const kept = [...stood].filter(([node, text]) => now.get(node) === text).length;
  if (now.size > stood.size && kept >= MOST * stood.size) return "grown";
  return kept < stood.size || now.size !== stood.size ? "turned" : "";
}
// How many elements of this page a query admits, and whether the one is of a thing that some tokens identify.
const onPage = remembering((query, own) => {
  const found = admit(query);
  return { found: found.length, own: found.length === 1 && own.length > 0 && isOfThing(found[0], own) };
});
