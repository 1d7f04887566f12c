// What the browser itself keeps for a page: a script may show it again without the site's having kept anything. Plain
// texts are put back into fields; of an object or a list anything may be drawn. Not responsible for: databases of the
// browser, which no script reads at once.

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
const STORES = [() => document.cookie.split("; ").map((pair) => decoded(pair.slice(pair.indexOf("=") + 1))), () => Object.values(localStorage), () => Object.values(sessionStorage)];
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
// Tells of a place whether it shows what the browser keeps. The stores are asked for the first place: another process
// answers for them, which takes as long as reading a small page.
function storing() {
  let stored = null;
  return ({ kind, text, parts }) => {
    const { plain, drawn } = (stored ||= readStored());
    return kind === "field" ? plain.has(fold(text)) || drawn.has(fold(text)) : kind === "text" && [text, ...parts].some((one) => drawn.has(one));
  };
}
