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
// Where the next page of a list is that shows the page of some number, from 1: its address, or a reference to what a script
// shows it by; neither where there is none. Only what says that it is one is followed: other links with a number may delete
// what it names.
const nextPage = remembering((number) => {
  const found = [];
  for (const el of all(document, "a[href]")) {
    const turned = /^https?:/.test(el.href) && visible(el) ? turnedTo(new URL(el.href)) : null;
    const isNext = turned && (el.relList.contains("next") || saysNumber(el, number + 1) || ARROW.test(el.textContent) || turned.usual);
    if (isNext) found.push({ url: el.href, count: turned.count });
  }
  if (found.length) return { url: found.reduce((one, other) => (other.count < one.count ? other : one)).url };
  const control = pageControl(number);
  return control ? { ref: ref(control) } : {};
});
const saysNumber = (el, number) => el.textContent.trim() === String(number);
const PAGE_CONTROLS = "button,[role=button],[role=menuitemradio],a:not([href])";
// A control that says the number of the next page, beside the number of this one, which is marked as where the user is.
function pageControl(number) {
  const [here] = all(document, "[aria-current=page],[aria-current=true]").filter((el) => saysNumber(el, number) && visible(el));
  for (const at of here ? [...ancestors(here)].slice(0, 4) : []) {
    const found = all(at, PAGE_CONTROLS).filter((el) => saysNumber(el, number + 1) && visible(el));
    if (found.length) return found.length === 1 && !(formOf(found[0]) && SENDING.has(typeOf(found[0]))) ? found[0] : null;
  }
  return null;
}
// How many elements of this page a query admits, and whether the one is of a thing that some tokens identify.
const onPage = remembering((query, own) => {
  const found = admit(query);
  return { found: found.length, own: found.length === 1 && own.length > 0 && isOfThing(found[0], own) };
});
