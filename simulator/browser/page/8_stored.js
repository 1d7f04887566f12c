// What the browser itself keeps for a page: a script may show it again without the site's having kept anything. Plain
// texts are put back into fields; of an object or a list anything may be drawn. What stands in databases and caches of the
// browser no script reads at once: where a page opens one, all that it shows may come from there. Not responsible for:
// whether the site has brought it as well (Python compares).

const STORED_TEXT = 300_000; // characters that are looked into
const STORED_LEAVES = 5000;

// How often cookies, and addresses, were encoded nobody knows; what is no code is taken as it stands.
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
// Under this name the program itself counts the visits of a path (`determinism.js`): a page draws nothing from that, and
// each count would be the id of something.
const OWN_STORE = "__sim";
const namesIn = (store) => Object.keys(store).filter((name) => name !== OWN_STORE);
const valuesIn = (store) => namesIn(store).map((name) => store[name]);
const STORES = [() => document.cookie.split("; ").map((pair) => decoded(pair.slice(pair.indexOf("=") + 1))), () => valuesIn(localStorage), () => valuesIn(sessionStorage)];
function storedTexts() {
  const texts = STORES.flatMap((store) => {
    try {
      return store();
    } catch {
      return []; // a page of no origin has none
    }
  });
  let left = STORED_TEXT;
  return texts.filter((text) => typeof text === "string" && text && (left -= text.length) > 0);
}
function parsed(text) {
  try {
    return fromJson(text);
  } catch {
    return text;
  }
}
function leavesOf(value) {
  const found = [];
  for (const left = [value]; left.length && found.length < STORED_LEAVES; ) {
    const one = left.pop();
    if (one && typeof one === "object") left.push(...Object.values(one));
    else if (one !== null) found.push(fold(String(one)));
  }
  return found;
}
function readStored() {
  const plain = new Set();
  const drawn = new Set();
  for (const text of storedTexts()) {
    const value = parsed(text);
    if (value && typeof value === "object") for (const leaf of leavesOf(value)) drawn.add(leaf);
    else plain.add(fold(String(value))).add(fold(text));
  }
  for (const known of [plain, drawn]) known.delete("");
  return { plain, drawn };
}
// The stores are asked once for all that is read of a document at a time: another process answers for them, which takes as
// long as reading a small page.
const storedNow = () => (memo ? (memo.stored ||= readStored()) : readStored());
const databases = { used: false };
for (const [kind, names] of [["IDBFactory", ["open"]], ["CacheStorage", ["open", "match"]]]) {
  for (const name of window[kind] ? names : []) {
    window[kind].prototype[name] = new Proxy(window[kind].prototype[name], {
      apply(target, self, args) {
        databases.used = true;
        return Reflect.apply(target, self, args);
      },
    });
  }
}
const DRAWN_FROM_DATABASE = new Set(["text", "field", "box", "link"]);
// Returns of a place whether it shows what the browser keeps (`stored`, and `kept` where that is a plain text, or may be in a
// database). The stores are asked for the first place.
function storing() {
  let known = null;
  return ({ kind, text, parts }) => {
    const { plain, drawn } = (known ||= storedNow());
    const stored = kind === "field" ? plain.has(fold(text)) || drawn.has(fold(text)) : kind === "text" && [text, ...parts].some((one) => drawn.has(one));
    const fromDatabase = databases.used && (DRAWN_FROM_DATABASE.has(kind) || (kind === "picture" && text.startsWith("blob:")));
    return { stored, kept: fromDatabase || (kind === "text" && [text, ...parts].some((one) => plain.has(one))) };
  };
}
// Returns of some words, ids or what a thing is called, whether a store says one of them. The stores are asked once, as above.
function saying() {
  let known = null;
  const read = () => {
    const { plain, drawn } = storedNow();
    return new Set([...plain, ...drawn, ...storeNames().flatMap((name) => name.split(/[^\p{L}\p{N}]+/u))]);
  };
  return (words) => words.some((word) => (known ||= read()).has(word));
}
function storeNames() {
  try {
    return [...namesIn(localStorage), ...namesIn(sessionStorage), ...document.cookie.split("; ").map((pair) => pair.split("=")[0])];
  } catch {
    return []; // a page of no origin has none
  }
}
