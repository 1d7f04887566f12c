// The words that distinguished a card from its siblings. Numbers and times change from day to day: they identify nothing.

const KEPT_WORDS = 10;
const SEARCHED_TEXTS = 200;
// What a control says is what can be done, and a note is gone in a moment.
const NO_WORDS = "button,[role=button],[role=tab],[role=switch],[role=checkbox],[role=radio],[role=menuitem],[role=combobox],summary,time,[role=status],[role=alert],[role=timer],[aria-live]";

// How people write times: the names of days and months, and the words of "two minutes ago", in the page's language and in
// English; and words that libraries put beside them.
const BESIDE_TIMES = "a an ago at about few just moment moments now on in since than less the of by am pm";
const lettersIn = (text) => text.toLowerCase().match(/\p{L}[\p{L}\p{M}]*/gu) || [];
let timeWords = null;
function wordsOfTimes() {
  if (timeWords?.lang === document.documentElement.lang) return timeWords.words;
  const words = new Set(BESIDE_TIMES.split(" "));
  const add = (text) => lettersIn(text).forEach((word) => words.add(word));
  for (const lang of new Set(["en", document.documentElement.lang || "en"])) {
    try {
      for (const style of ["long", "short"]) {
        const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto", style });
        for (const unit of ["second", "minute", "hour", "day", "week", "month", "year"]) for (const many of [-5, -2, -1, 0, 1, 2, 5]) add(relative.format(many, unit));
        const dates = new Intl.DateTimeFormat(lang, { weekday: style, month: style, day: "numeric", hour: "numeric", timeZone: "UTC" });
        for (let month = 0; month < 12; month++) add(dates.format(Date.UTC(2024, month, 1 + month, 3 + month)));
      }
    } catch {
      // The page names a language that there is not.
    }
  }
  timeWords = { lang: document.documentElement.lang, words };
  return words;
}
// What is written onto a number belongs to it where all else is a time: `26th November`, `1er mai`. By itself it may be
// anything, such as `12V`.
const ONTO_NUMBER = /(?<=\p{N})\p{L}{1,3}(?![\p{L}\p{N}])/gu;
// The zone behind an hour: an abbreviation, a distance from Greenwich, and what the browser calls its own, as scripts
// write it: `19:23:37 GMT+0000 (Coordinated Universal Time)`. Without an hour before it any of these may be anything.
const ZONES = "UTC GMT WET WEST CET CEST EET EEST BST IST MSK EST EDT CST CDT MST MDT PST PDT AKST AKDT HST JST KST SGT HKT AWST ACST AEST AEDT NZST NZDT SAST";
let zoneBehindHour = null;
function patternOfZones() {
  if (zoneBehindHour?.lang === document.documentElement.lang) return zoneBehindHour.pattern;
  const named = new Set(["Coordinated Universal Time", "Greenwich Mean Time", ...ZONES.split(" ")]);
  for (const lang of new Set(["en", document.documentElement.lang || "en"])) {
    for (const timeZoneName of ["long", "short"]) {
      try {
        const dates = new Intl.DateTimeFormat(lang, { timeZoneName });
        for (const month of [0, 6]) named.add(dates.formatToParts(Date.UTC(2024, month)).find((one) => one.type === "timeZoneName").value);
      } catch {
        // The page names a language that there is not.
      }
    }
  }
  // Only what has a meaning of its own may be escaped in a pattern of Unicode: `GMT-3`, `heure d’été` hold other signs.
  const names = [...named].map((name) => name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
  const zone = `(?:${names})(?:[+-]\\d{1,2}:?\\d{0,2})?(?![\\p{L}\\p{N}])`;
  const pattern = new RegExp(`(?<=\\d:\\d\\d(?: ?[apAP]\\.?[mM]\\.?)?) ?\\(?${zone}\\)?(?: \\(${zone}\\))?`, "gu");
  zoneBehindHour = { lang: document.documentElement.lang, pattern };
  return pattern;
}
// How long ago, as short as can be: `42s`, `5m ago`, `1h 20min`. Without a number before it any of these may be anything, such
// as a size.
const SHORT_UNITS = "s sec secs m min mins h hr hrs d w wk wks mo mos y yr yrs";
let shortTimes = null;
function patternOfShortTimes() {
  if (shortTimes?.lang === document.documentElement.lang) return shortTimes.pattern;
  const units = new Set(SHORT_UNITS.split(" "));
  for (const lang of new Set(["en", document.documentElement.lang || "en"])) {
    try {
      for (const unit of ["second", "minute", "hour", "day", "week", "month", "year"]) {
        for (const many of [1, 5]) lettersIn(new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "narrow" }).format(many)).forEach((word) => units.add(word));
      }
    } catch {
      // The page names a language that there is not.
    }
  }
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])\\p{N}+(?:${[...units].join("|")})(?![\\p{L}\\p{N}])`, "giu");
  shortTimes = { lang: document.documentElement.lang, pattern };
  return pattern;
}
// A moment as programs write it: `2026-11-28T13:23:09.765Z`, `13:23:09Z`.
const LETTERS_OF_MOMENTS = /(?<=\d{4}-\d\d-\d\d)T(?=\d\d:\d\d)|(?<=\d:\d\d(?:[.,]\d+)?)Z(?![\p{L}\p{N}])/gu;
const withoutZone = (text) => (/\d:\d\d/.test(text) ? text.replace(patternOfZones(), "").replace(LETTERS_OF_MOMENTS, " ") : text);
function isTime(whole) {
  const plain = withoutZone(whole);
  const text = /\p{N}\p{L}/u.test(plain) ? plain.replace(patternOfShortTimes(), " ") : plain;
  const areOfTimes = (words) => words.every((word) => wordsOfTimes().has(word));
  const apart = lettersIn(text.replace(ONTO_NUMBER, ""));
  return areOfTimes(lettersIn(text)) || (apart.length > 0 && areOfTimes(apart));
}
const isWord = (text) => /\p{L}/u.test(text) && !COUNTED.test(text) && !isTime(text);
// Numbers that stand for themselves in a text.
const withoutNumbers = (text) => text.replace(/(?<![\p{L}\p{N}])\p{N}[\p{N}.,:]*(?![\p{L}\p{N}])/gu, "#");

// Texts that differ only in how they say what a number counts: one vote, two votes.
const COUNTED_AS = /(?<=# ?)\p{L}+/gu;
function isSameCount(text, other) {
  if (!text.includes("#") || text.replace(COUNTED_AS, "") !== other.replace(COUNTED_AS, "")) return false;
  const now = other.match(COUNTED_AS) || [];
  return (text.match(COUNTED_AS) || []).every((word, at) => {
    const [short, long] = [word, now[at] || ""].sort((one, two) => one.length - two.length);
    return word === now[at] || (short.length > 2 && long.length > short.length && (long.startsWith(short) || (short.length > 3 && long.startsWith(short.slice(0, -1)))));
  });
}

const textsWithout = (card, most = SEARCHED_TEXTS) => textsOf(card, { most, without: NO_WORDS });
// Single words of a text, without those of a time and those that say what a number counts: `5 minutes ago`, `2 votes`.
const COUNTED_WORD = /(?<![\p{L}\p{N}])\p{N}[\p{N}.,:]*\s*\p{L}[\p{L}\p{M}]*/gu;
const stemsOf = (text) => lettersIn(withoutZone(text).replace(COUNTED_WORD, " ")).filter((word) => word.length > 1 && !wordsOfTimes().has(word));
// Of a card the words that not every sibling shows, those of headings and links first; how many of these there are; and
// which single words in them not every sibling has. Nothing distinguished a card from its siblings that has none.
const KEPT_STEMS = 24;
function tellingWords(card, siblings) {
  if (!siblings.length) return { words: [], titles: 0, stems: [] };
  const shown = siblings.map((other) => new Set(textsWithout(other)));
  const own = textsWithout(card, 24);
  const telling = (text) => isWord(text) && !shown.every((texts) => texts.has(text));
  const words = own.filter(telling).slice(0, KEPT_WORDS);
  const beside = shown.map((texts) => new Set([...texts].flatMap(stemsOf)));
  const stems = [...new Set(words.flatMap(stemsOf))].filter((word) => !beside.every((others) => others.has(word)));
  return { words, titles: own.slice(0, own.titles).filter(telling).slice(0, KEPT_WORDS).length, stems: stems.slice(0, KEPT_STEMS) };
}

const cardWords = (el) => {
  const card = [...ancestors(el)].find((at) => isCard(at, el, roleOf(el), nameOf(el)));
  return card ? textsWithout(card).slice(0, 3).join(", ") : "";
};
// What of such words nothing shows that may be the card: the nearest part around the element that shows them all, and holds
// no lookalike of it but in the place that the card had. A thing may have several parts with one each: nearer than the card
// was when it was recorded, what a nearer card of the query keeps apart is no lookalike. What shows more texts than the
// card had around the element is no card but what is around it: a filter, a notice, the heading of another part.
const NO_CARD = "body,main,[role=main]";
// How often more words are shown on the way from an element to a part around it; what is only drawn around it adds none.
function countingGains(el) {
  const wordsIn = (texts) => texts.filter(isWord).length;
  let [known, gains] = [el.matches(NO_WORDS) ? 0 : wordsIn(textsWithout(el)), 0];
  return (texts) => {
    const shown = wordsIn(texts);
    if (shown > known) gains++;
    known = Math.max(known, shown);
    return gains;
  };
}
const gainsUpTo = (el, card) => {
  const count = countingGains(el);
  for (const at of ancestors(el)) {
    const gains = count(textsWithout(at));
    if (at === card) return gains;
  }
  return 0;
};
// Nor is what an action opens in the card of what it is done on, as a list or a calendar: what was its card as it was found
// is its card until the action is over, for as long as it shows the words.
const cardsFound = new WeakMap();
function rememberCard(el, card, at) {
  if (!cardsFound.has(card)) cardsFound.set(card, new WeakMap());
  cardsFound.get(card).set(el, at);
}
function cardBefore(el, card) {
  const at = guard.armed?.el === el && cardsFound.get(card)?.get(el);
  return at && at.isConnected && holds(at, el) ? at : null;
}
function lostWords(el, card, query) {
  const { words = [], loose = [], stems = [], role, levels = 0, gains = 0 } = card;
  const sought = new Set(loose);
  const lacks = (at, texts) => {
    const plain = new Set(texts.map(withoutNumbers));
    const single = stems.length ? new Set([...texts, at.textContent].flatMap(lettersIn)) : null;
    return [...words.filter((text) => !texts.includes(text)), ...[...sought].filter((text) => !plain.has(text) && ![...plain].some((other) => isSameCount(text, other))), ...stems.filter((word) => !single.has(word))];
  };
  const [own, name] = [roleOf(el), nameOf(el)];
  const alike = (twin) => visible(twin) && !differences(query, twin).length;
  const nearer = [query.shows, query.also].filter((card) => card?.levels && card.levels < levels);
  const keptApart = (twin) => nearer.some((card) => lostWords(twin, card, query).length);
  const before = cardBefore(el, card);
  if (before && !lacks(before, textsWithout(before)).length) return [];
  let least = null;
  const gained = countingGains(el);
  for (const [level, at] of [...ancestors(el)].entries()) {
    if (at.matches(NO_CARD)) break;
    const asHigh = level === levels - 1 && (roleOf(at) || tagOf(at)) === role;
    const inside = level < levels - 1;
    const texts = textsWithout(at);
    const isFar = gains > 0 && gained(texts) > gains;
    if (isFar && !asHigh) break;
    if ((isFar || !asHigh) && apart(likeIn(at, el, own, name).filter((twin) => alike(twin) && !(inside && keptApart(twin)))).length > 1) break;
    const lost = lacks(at, texts);
    if (!lost.length) {
      rememberCard(el, card, at);
      return [];
    }
    if (!least || lost.length < least.length) least = lost;
  }
  return least || [...words, ...loose, ...stems];
}
