// What a second load of this document holds of what the first one shows: what a site says once, such as a message about
// what was sent, is gone by then. Nothing of the second one runs, and nothing is loaded for it. Not responsible for: what
// follows from that.

const AGAIN_MS = 3000;
const AGAIN_HTML = 2_000_000; // characters of a document that is taken apart
const AGAIN_SOUGHT = 16_000_000; // the same that texts are sought in: a document may hold all that it ever shows
const LONG_ENOUGH = 4; // characters: what is shorter stands somewhere by chance
const HTML = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

// As the browser asked for it; null for what leads elsewhere, or cannot be had again.
async function loadAgain() {
  try {
    const answer = await nativeFetch(location.href, { headers: { accept: HTML }, cache: "no-store", credentials: "same-origin", redirect: "manual", signal: AbortSignal.timeout(AGAIN_MS) });
    return answer.ok && (answer.headers.get("content-type") || "").includes("html") ? (await answer.text()).slice(0, AGAIN_SOUGHT) : null;
  } catch {
    return null; // the site has gone, or lets no script ask
  }
}
function linesIn(body) {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const lines = new Map();
  while (walker.nextNode()) {
    const line = lineOf(walker.currentNode);
    if (line && !line.closest("script,style,template")) lines.set(line, (lines.get(line) || "") + walker.currentNode.data);
  }
  return [...lines.values()].map(fold);
}
const holdsNow = (el) => (tagOf(el) === "select" ? [...el.selectedOptions].flatMap((one) => [fold(one.label), one.value]) : [cut(el.value, SHOWN_TEXT)]);
// What a field is called, by its HTML alone: one that is sent nowhere, as on a page that only shows it, may have no name.
const namesOf = (el) => [attr(el, "name"), attr(el, "aria-label"), ...[...(el.labels || [])].map((label) => fold(label.textContent))].filter(Boolean);
const inLines = (lines, text) => lines.some((line) => line === text || (text.length >= LONG_ENOUGH && line.includes(text)));
const inScripts = (html, text) => text.length >= LONG_ENOUGH && (html.includes(text) || html.includes(asJson(text).slice(1, -1)));
// Of each place, as readShown gives it, whether it is there again; null where the page asks for what it shows, or draws its
// fields by a script: of that its HTML says nothing.
async function readAgain(places, things) {
  const html = await loadAgain();
  if (html === null) return null;
  const again = new DOMParser().parseFromString(html.slice(0, AGAIN_HTML), "text/html");
  const lines = again.body && places.length ? linesIn(again.body) : [];
  const fields = places.length ? [...again.querySelectorAll(HAS_VALUE)] : [];
  const asks = [...activity.seen].some((key) => !key.startsWith("script "));
  const isThere = ({ kind, text, labels, on }) => {
    if (kind === "picture") return html.includes(text.split("?")[0].split("/").pop());
    if (kind === "link" || kind === "file") return [...again.links].some((el) => attr(el, "href") === text) || inScripts(html, text);
    if (kind === "text") return inLines(lines, text) || inScripts(html, text) || text.split(", ").every((part) => lines.includes(part));
    const called = fields.filter((el) => namesOf(el).some((name) => labels.includes(name)));
    return called.length ? called.some((el) => (kind === "box" ? el.checked === on : holdsNow(el).includes(text))) : null;
  };
  return { places: places.map(isThere).map((there) => (asks && !there ? null : there)), tokens: things ? wholeTokens(again) : [], asks };
}
