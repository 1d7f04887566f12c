// What is pressed, and the thing that it belongs to: a card among alike ones, or the page as a whole. A thing is known by
// what its card has and no sibling has: steps of addresses, values of data attributes, a text. Not responsible for: what
// follows from what is there or gone (Python compares).

const THING_LEVELS = 3;
const THING_SIBLINGS = 6; // on each side of a card that it is compared with
const THING_ELEMENTS = 60; // of a card that are looked into
const THING_TOKENS = 40;
const WHOLE_TOKENS = 600;
const THING_TEXTS = 6; // by which a thing is known that its page calls nothing else
const THING_TICKED = 20; // things that are ticked
const THING_VALUE = 64; // characters of a value that may be an id
// What only says in which place, in which state or of which kind something is.
const UNTELLING = /index|idx|position|order|row|col|state|count|status|csrf|token|nonce|authenticity|reactid|^data-v-|toggle|target|dismiss|method|confirm|action$/i;
const PRESSABLE = "a,button,summary,input[type=button],input[type=submit],input[type=image],input[type=checkbox],input[type=radio],[role=button],[role=link],[role=checkbox],[role=switch],[role=radio],[role=menuitem],[role=menuitemcheckbox],[role=option],[onclick]";
// Classes by which pages that know no other way say that something is switched on.
const SWITCHED = /(?:^|[-_])(?:active|selected|pressed|checked|(?:up|down)?voted|liked|saved|starred|followed|following|favou?rited?|bookmarked|subscribed|done|completed|on)$/i;

// Neighbouring steps of an address: `things/41`, `?id=41`. One step alone is the id of anything.
const stepsOf = (address) => once("steps", address, readSteps);
function readSteps(address) {
  if (!address || /^#(?![!/])/.test(address)) return [];
  let url;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    return []; // pages write whatever they like into a link
  }
  if (!/^https?:$/.test(url.protocol)) return [];
  const route = /^#!?\/([^?]*)\??(.*)$/.exec(url.hash);
  const pairs = (path) => path.split("/").filter(Boolean).map((step, at, steps) => `${at ? steps[at - 1] : ""}/${step}`);
  return [...pairs(url.pathname), ...(route ? pairs(route[1]) : []), ...[...url.searchParams, ...new URLSearchParams(route ? route[2] : "")].map(([name, value]) => `?${name}=${value}`)];
}
// An address, or an id, in an attribute that a page's own scripts read.
const isOwnAttribute = (name) => REQUESTING.includes(name) || (name.startsWith("data-") && !UNTELLING.test(name));
const isAddress = (name, value) => REQUESTING.includes(name) || value.startsWith("/") || /^https?:/.test(value);
const isIdValue = (value) => value.length <= THING_VALUE && masked(value) !== value;
const scriptedKeysOf = (el) => [...el.attributes].filter(({ name, value }) => value && isOwnAttribute(name) && (isAddress(name, value) || isIdValue(value))).map(({ value }) => value);
function tokensOf(el) {
  const found = [];
  for (const { name, value } of el.attributes) {
    if (!value || value.length > 300) continue;
    if (["href", "action", "formaction"].includes(name)) found.push(...stepsOf(value));
    else if (isOwnAttribute(name)) {
      if (isAddress(name, value)) found.push(...stepsOf(value));
      else if (isIdValue(value)) found.push(`@${name}=${value}`);
    } else if (name === "id" && masked(value) !== value) found.push(`#${value}`);
  }
  const carries = (tagOf(el) === "button" || (tagOf(el) === "input" && (el.type === "hidden" || el.type === "checkbox"))) && el.name && !UNTELLING.test(el.name) && !isSecret(el);
  if (carries && el.value && el.value.length <= THING_VALUE && masked(el.value) !== el.value) found.push(`=${el.name}=${el.value}`);
  return found;
}
function tokensIn(root) {
  const told = [root, ...all(root, "*").slice(0, THING_ELEMENTS)];
  return new Set(told.flatMap(tokensOf));
}
const isBeside = (el, card) => holds(parentOf(card), el) && !holds(card, el);
// Of what a card alone has among those that it was compared with, what no other one of a longer list has: the comments of
// one user say and hold the same of who that is. Seen on Isso from the seventh comment on.
function aloneInList(tokens, card, compared) {
  if (!tokens.length || card.parentNode.children.length <= compared + 1) return tokens;
  const elsewhere = new Set(all(card.parentNode, "*").filter((el) => !holds(card, el)).flatMap(tokensOf));
  return tokens.filter((token) => !elsewhere.has(token));
}
// What a control itself sends: of a form all that goes with it.
function ownTokens(el) {
  const form = formOf(el);
  const beside = form ? [form, ...all(form, "input[type=hidden]").slice(0, 12)] : [];
  return [...new Set([el, ...beside].flatMap(tokensOf))].slice(0, THING_TOKENS);
}
function alikeTo(card) {
  const alike = [...card.parentNode.children].filter((at) => tagOf(at) === tagOf(card));
  const place = alike.indexOf(card);
  return [...alike.slice(Math.max(0, place - THING_SIBLINGS), place), ...alike.slice(place + 1, place + 1 + THING_SIBLINGS)];
}
// What a card says of its thing alone, what leads nowhere last: neither what is pressed there, which may ask back
// ("Confirm"), nor how long ago something was, which changes by itself.
function tellingOf(card, pressed, others) {
  const worded = (elements) => new Set(elements.flatMap((one) => [nameOf(one), textOf(one)]).map((text) => cut(fold(text), 80)));
  const controls = all(card, PRESSABLE);
  const apart = worded([...controls.filter((one) => one === pressed || tagOf(one) !== "a"), ...all(card, "time")]);
  const weak = worded(controls.filter((one) => !stepsOf(attr(one, "href")).length));
  const texts = textsOf(card).filter((text) => text.length > 2 && /\p{L}{2}/u.test(text) && !/\d/.test(text) && !others.has(text) && !apart.has(text));
  const isAlone = (text) => !withExactText(text).some((el) => isBeside(el, card));
  const found = [];
  for (const text of [...texts.filter((one) => !weak.has(one)), ...texts.filter((one) => weak.has(one))]) {
    if (found.length >= THING_TEXTS) break;
    if (isAlone(text)) found.push(text);
  }
  return found;
}
// Of what opens a menu in a card the card says the words before and after: it may say what was chosen, as a list does.
function levelsOf(el, opens = false) {
  const found = [];
  for (const at of [el, ...ancestors(el)]) {
    if (at === document.body || found.length >= THING_LEVELS) break;
    if (!isAlike(at)) continue;
    const beside = alikeTo(at);
    const others = new Set(beside.flatMap((one) => [...tokensIn(one)]));
    const said = new Set(beside.flatMap((one) => textsOf(one)));
    const texts = tellingOf(at, el, said);
    const numbered = effectsVersion > 11 ? textsOf(at).filter((text) => /\d/.test(text) && /\p{L}{3}/u.test(text) && !said.has(text)) : [];
    const tokens = [...tokensIn(at)].filter((token) => !others.has(token));
    found.push({ tokens: aloneInList(tokens, at, beside.length).slice(0, THING_TOKENS), called: texts[0] || "", texts, numbered, words: wordsInCard(at, opens || at === el || !el.matches(PRESSABLE) ? null : el) });
  }
  return found;
}
function statesOf(el) {
  const is = (name) => attr(el, name).toLowerCase() === "true";
  const on = [];
  if (is("aria-pressed")) on.push("pressed");
  if (is("aria-checked") || ((el.type === "checkbox" || el.type === "radio") && el.checked)) on.push("checked");
  if (is("aria-selected") && roleOf(el) !== "tab") on.push("selected");
  if (DISABLED(el)) on.push("disabled");
  return [...on, ...[...el.classList].filter((name) => SWITCHED.test(name)).map((name) => `.${name}`)];
}
function pathIn(root, el) {
  const steps = [];
  for (let at = el; at && at !== root; at = at.parentElement || at.parentNode.host) {
    const inShadow = effectsVersion > 11 && at.parentNode instanceof ShadowRoot;
    if (!at.parentElement && !inShadow) break;
    const alike = [...at.parentNode.children].filter((one) => tagOf(one) === tagOf(at));
    steps.unshift(`${tagOf(at)}${alike.indexOf(at)}`);
  }
  return steps.join(">");
}
// A number in a name is a count: it changes by what others do, too.
const standsAs = (el) => ({ role: roleOf(el) || tagOf(el), name: cut((nameOf(el) || textOf(el) || pictureOf(el)).replace(/\d[\d.,\s]*[kKmM]?(?![\p{L}\d])/gu, "#").trim(), 120), states: statesOf(el) });
// How it is drawn: what a page that says its state in no word changes, as a heart that is filled. Texts are no drawing.
const DRAWN_PARTS = 24;
const DRAWN_TEXT = 1000;
const DRAWN_BY = ["class", "fill", "stroke", "href", "xlink:href", "src", "d"];
// Where a link leads may hold what only guards the site: another token each time, which draws nothing.
const drawnBy = (el, name) => (effectsVersion > 11 && name === "href" && tagOf(el) === "a" ? shapeOf(attr(el, name)) : attr(el, name));
const drawnAs = (el) => cut([el, ...all(el, "*").slice(0, DRAWN_PARTS)].map((at) => [tagOf(at), ...DRAWN_BY.map((name) => cut(drawnBy(at, name), 60))].join(" ")).join("\n"), DRAWN_TEXT);
// What a card says in words, without what is pressed in it: how its thing stands, where the control stands as before. Numbers
// and times change by what others do, too. One that says more than this says nothing: its first words are others each time.
const CARD_WORDS = 40;
const isPassing = (el) => closest(el, "time") || messageOf(el);
function wordsInCard(card, pressed, name = "") {
  const isControl = (el) => !pressed && !!name && !!closest(el, PRESSABLE) && standsAs(closest(el, PRESSABLE)).name === name;
  const words = wordsSaidIn(card, pressed, CARD_WORDS, (el) => !isPassing(el) && !isControl(el));
  return effectsVersion > 11 && words.length > CARD_WORDS ? null : words.slice(0, CARD_WORDS);
}
function wordsSaidIn(root, pressed, most, counts) {
  const found = new Set();
  for (const { parentElement: el, data } of textNodesIn(root)) {
    if (found.size > most) break;
    const text = cut(fold(data), 60);
    if (text.length < 2 || /\d/.test(text) || !/\p{L}{2}/u.test(text) || !el || UNSHOWN.has(tagOf(el)) || (pressed && holds(pressed, el))) continue;
    if (counts(el) && visible(el)) found.add(text);
  }
  return [...found];
}
// What a page says of its own thing: neither what stands at its edges, nor in a card with a link, which is something else's,
// nor what can be done next.
const PAGE_WORDS = 300;
const NOT_OF_PAGE = `time,${MESSAGES},${EDGES},${FIELDS},${PRESSABLE}`;
function wordsOnPage() {
  const mains = all(document, MAIN).filter(visible);
  const known = new Map();
  const isApart = (at) => {
    if (!at || at === document.body) return false;
    if (!known.has(at)) known.set(at, isApart(parentOf(at)) || at.matches(NOT_OF_PAGE) || (isAlike(at) && all(at, "a[href]").length > 0));
    return known.get(at);
  };
  const words = wordsSaidIn(mains.length === 1 ? mains[0] : document.body, null, PAGE_WORDS, (el) => !isApart(el));
  return words.length > PAGE_WORDS ? null : words;
}
const lastingOf = (el) => [testIdOf(el), attr(el, "name"), attr(el, "id")].filter((text) => text && masked(text) === text);
// The card whose paths are compared: the innermost one, or the page.
// What holds the control and says nothing else is none.
const saysMore = (at, el) => effectsVersion < 12 || fold(textWithin(at)) !== fold(textWithin(el)) || all(at, PICTURED).some((one) => !holds(el, one));
const scopeOf = (el) => [...ancestors(el)].find((at) => at !== document.body && isAlike(at) && saysMore(at, el)) || document.body;
// A list is worked on by ticking things and pressing what stands beside it: the press belongs to what is ticked there. What
// came ticked is how a thing stands, as in a list of what is to be done. A script's box says by an attribute that it is
// ticked: it counts where it has changed since the user has acted here, whether the user ticked it or what ticks all.
const BOXES = "input[type=checkbox],[aria-checked]:not(input,[role=radio],[role=menuitemradio],[role=switch])";
// Some frameworks write into the attribute of a box of the browser's own that it is ticked, as soon as it is: it did not come
// so. What is written there once something was sent may be how the thing stands by then.
const switchedOn = new WeakSet();
const isOn = (box) => (tagOf(box) === "input" ? box.defaultChecked : attr(box, "aria-checked") === "true");
observe(new MutationObserver((records) => {
  for (const { target, attributeName, oldValue } of writing.el ? records : []) {
    const native = attributeName === "checked";
    if (native && (effectsVersion < 12 || tagOf(target) !== "input" || sight.last?.writes !== activity.writes)) continue;
    if (!isOn(target)) switchedOn.delete(target);
    else if (native ? oldValue === null : oldValue !== "true") switchedOn.add(target);
  }
}), { subtree: true, attributes: true, attributeOldValue: true, attributeFilter: ["aria-checked", "checked"] });
const isTickedHere = (box) => (tagOf(box) === "input" ? box.checked && (!box.defaultChecked || switchedOn.has(box)) : switchedOn.has(box));
// Of each thing that is ticked the cards around its box. A box of the form that is sent may say how its thing stands: it is
// one to choose by where it is called by an id that its card alone has. What becomes of the thing distinguishes them.
function tickedFor(el) {
  const form = formOf(el);
  const ticked = all(document, BOXES).filter((box) => box !== el && isTickedHere(box));
  const boxes = new Map(ticked.map((box) => [[...ancestors(box)].find(isAlike), box]));
  boxes.delete(undefined); // what ticks all stands beside them
  const chosen = [...boxes.values()].slice(0, THING_TICKED).map((box) => ({ levels: levelsOf(box), sent: !!form && formOf(box) === form, box }));
  return chosen.filter(({ levels, sent, box }) => !sent || isCalledById(box, levels));
}
const isCalledById = (box, levels) => {
  const words = new Set(`${attr(box, "value")} ${box.name}`.split(/[\s,;|[\]=/.:_-]+/).filter((word) => masked(word) !== word));
  return levels.some(({ tokens }) => tokens.some((token) => token.split(/[/=]/).some((part) => words.has(part.replace(/^[#?@]/, "")))));
};
// What was disabled until the user put something in, as a button that saves: it is so again once that is sent, whatever the
// site has kept of it.
const freed = new WeakSet();
observe(new MutationObserver((records) => {
  for (const { target, attributeName, oldValue } of guard.touched ? records : []) {
    if (oldValue !== null && (attributeName === "disabled" || oldValue === "true") && !DISABLED(target)) freed.add(target);
  }
}), { subtree: true, attributes: true, attributeOldValue: true, attributeFilter: ["disabled", "aria-disabled"] });
// The other controls of its card, as they are called: what is one of them is not what it has become.
const CONTROLS_BESIDE = 40;
const besideIt = (scope, el) => [...new Set(all(scope, PRESSABLE).filter((one) => one !== el && visible(one)).slice(0, CONTROLS_BESIDE).map(standsAs).map(({ role, name }) => `${role} ${name}`))];
// What comes into sight as something is pressed, as what asks back or a menu, belongs to the card in which that was pressed,
// wherever it stands itself. A control that stands in a card of its own counts there, unless the request names the other.
function cardsOfOpener(el, own) {
  if (effectsVersion < 12 || !cameIntoSight(el) || !sight.opener || sight.opener === el) return [];
  const opener = sight.opener.isConnected ? sight.opener : cardDrawnAnew();
  const opens = own.some(({ called, tokens }) => called || tokens.length);
  const levels = opener ? asBehind(opener, () => levelsOf(opener, true)) : [];
  return levels.map((level) => ({ ...level, ticked: true, opens }));
}
// What asks back may hide the rest of the page from assistive technology: a card behind it says what it said.
function asBehind(el, judge) {
  const [known, shown] = [memo, unhidden];
  [memo, unhidden] = [null, new Set([...ancestors(el)].filter(isAriaHidden))];
  try {
    return remembering(judge)();
  } finally {
    [memo, unhidden] = [known, shown];
  }
}
// A script may draw that card anew as it asks: it is the only one that says what it said.
function cardDrawnAnew() {
  const { tag, text } = sight.around || {};
  const [card, other] = text ? all(document, tag).filter((one) => visible(one) && fold(one.textContent) === text) : [];
  return other ? null : card;
}
const actedOn = remembering((given) => {
  const el = actionableOf(given);
  if (el.matches(FIELDS) && !el.matches(PRESSABLE)) return null;
  const scope = scopeOf(el);
  const ticked = tickedFor(el);
  const [only] = ticked.length === 1 && !ticked[0].sent ? ticked : [];
  const own = levelsOf(el);
  const says = effectsVersion > 11 && !own.some(({ called, tokens }) => called || tokens.length) ? wordsOnPage() : null;
  const beside = only ? only.levels.map((level) => ({ ...level, ticked: true })) : cardsOfOpener(el, own);
  return { ...standsAs(el), drawn: drawnAs(el), rests: freed.has(el), opened: cameIntoSight(el), renamed: (effectsVersion > 11 && sight.renamed.get(el)) || "", own: ownTokens(el), lasting: lastingOf(el), path: pathIn(scope, el), beside: besideIt(scope, el), levels: [...own, ...beside], says, ticked: only ? [] : ticked.map(({ levels }) => levels), here: stepsOf(location.href), document: documentToken };
});

// How a control of a thing stands now: the one that fits best of those in its card. On a page at another address one that is
// called otherwise, and sends nothing that the control did but what both addresses say, may be anything else of that part of
// the site.
function likest(root, { role, name, own, lasting, path, beside = [], here = [] }) {
  const another = (now) => now.name !== name && beside.includes(`${now.role} ${now.name}`);
  const standing = all(root, PRESSABLE).filter(visible).map((el) => [el, standsAs(el)]);
  const scored = standing.filter(([, now]) => !another(now)).map(([el, now]) => {
    const tokens = ownTokens(el);
    const shared = own.filter((token) => tokens.includes(token)).length;
    const score = (own.length && shared ? (shared === own.length && shared === tokens.length ? 4 : 2) : 0) + (lasting.some((text) => lastingOf(el).includes(text)) ? 3 : 0) +
      (now.name === name ? 2 : 0) + (path && pathIn(root, el) === path ? 1 : 0) + (now.role === role ? 1 : -1);
    return { score, now, el };
  });
  const best = Math.max(...scored.map((one) => one.score));
  const fits = scored.filter((one) => one.score === best);
  if (best <= 1 || fits.length !== 1) return null;
  const [{ el, now }] = fits;
  return { el, now: { ...now, drawn: drawnAs(el) }, strange: now.name !== name && sendsElse(own, ownTokens(el), here) };
}
// A control that stands elsewhere as it did, and sends the very same, has become no other one. What stands so in the card of
// another thing is the control of that.
function asItWas({ role, name, own, lasting }, card) {
  if (effectsVersion < 12) return null;
  const others = card && card !== document.body ? alikeTo(card) : [];
  const isThat = (el) => {
    const tokens = ownTokens(el);
    const same = own.length ? own.length === tokens.length && own.every((token) => tokens.includes(token)) : lasting.some((text) => lastingOf(el).includes(text));
    return same && standsAs(el).name === name && (roleOf(el) || tagOf(el)) === role;
  };
  const el = all(document, PRESSABLE).find((one) => visible(one) && isThat(one) && !others.some((at) => holds(at, one)));
  return el ? { el, now: { ...standsAs(el), drawn: drawnAs(el) }, strange: false } : null;
}
function sendsElse(own, tokens, here) {
  const steps = stepsOf(location.href);
  const common = here.filter((token) => steps.includes(token));
  if (!common.length || (common.length === here.length && here.length === steps.length)) return false;
  const [before, after] = [own, tokens].map((sent) => sent.filter((token) => !common.includes(token)));
  return before.length > 0 && after.length > 0 && !before.some((token) => after.includes(token));
}
// By which words a store may know a thing: what the site generated in its keys, or what it is called.
const wordsFor = (keys, called) => [...new Set([...keys.flatMap((key) => key.split(/[/=]/)).map((part) => part.replace(/^[#?@]/, "")).filter((part) => part && masked(part) !== part), called])].filter(Boolean);
// Whether a document shows things by one of their keys or by what they are called, and how a control of each stands.
const readThings = remembering((asked) => {
  const holders = new Map();
  const wanted = new Set(asked.flatMap(({ keys }) => keys));
  for (const el of wanted.size ? all(document, "*") : []) {
    const tokens = tokensOf(el).filter((token) => wanted.has(token));
    if (tokens.length && !messageOf(el)) for (const token of tokens) holders.set(token, [...(holders.get(token) || []), el]);
  }
  const isStored = saying();
  const things = asked.map(({ keys, called, control, page, words, texts = [] }) => {
    const at = keys.flatMap((key) => holders.get(key) || []).slice(0, 40);
    const titled = called ? withExactText(called).slice(0, 10) : [];
    const scopes = [];
    for (const el of [...at, ...titled]) {
      for (const card of [el, ...ancestors(el)]) {
        if (card === document.body || card === document.documentElement) break;
        if (!isAlike(card) || scopes.includes(card)) continue;
        const beside = alikeTo(card);
        if (beside.some((one) => keys.length ? keys.every((key) => !tokensIn(card).has(key) || tokensIn(one).has(key)) : textsOf(one).includes(called))) continue;
        scopes.push(card);
        if (scopes.length > 12) break;
      }
    }
    const here = page && (!keys.length || keys.some((key) => stepsOf(location.href).includes(key)) || at.length > 0);
    if (here) scopes.push(document.body);
    let best = null;
    let card = (control ? scopes : []).find((scope) => (best = likest(scope, control))) || scopes.find((scope) => scope !== document.body);
    const still = best && best.now.name !== control.name ? asItWas(control, card) : null;
    if (still) [best, card] = [still, scopes.find((scope) => holds(scope, still.el))];
    const stands = best && best.now;
    const pressed = best && best.el !== card ? best.el : null;
    const says = !words ? null : page ? here && wordsOnPage() : card && card !== document.body ? wordsInCard(card, pressed, control?.name) : null;
    return { held: at.length, titled: titled.length, traces: at.length || titled.length ? 0 : texts.filter((text) => withExactText(text).length).length, scopes: scopes.length, stands, strange: !!best?.strange, says: says || null, stored: !!stands && isStored(wordsFor(keys, called)) };
  });
  return { document: documentToken, things, status: statusOf(), failed: activity.done.some(([, , status]) => status >= 400 || status === 0), loading: document.readyState === "loading", tokens: tokensNow() };
});
// The elements that hold each text, in the order of the page.
function textHolders() {
  const holders = new Map();
  for (const { parentElement: el, data } of document.body ? textNodesIn(document.body) : []) {
    if (!el || data.length >= 400 || UNSHOWN.has(tagOf(el))) continue;
    const text = cut(fold(data), 80);
    if (holders.has(text)) holders.get(text).push(el);
    else holders.set(text, [el]);
  }
  return holders;
}
function withExactText(text) {
  const holders = memo ? (memo.texts ||= textHolders()) : textHolders();
  return (holders.get(text) || []).filter((el) => !messageOf(el) && visible(el));
}
// What identifies things on a document, to know later what stood there. What says how something went may link to one.
const TELLING = "[href]:not(link),[action],[formaction],[id],button[name],input[type=hidden],[data-id],[data-key],[data-pk],[data-uuid]";
const TO_ITSELF = "form[method=post i]:not([action])"; // a form for what stands at this very address
const SCRIPTED = document.createExpression("descendant::*[@*[starts-with(name(), 'data-') or starts-with(name(), 'hx-')]]");
function scriptedIn(root) {
  if (shadows) return all(root, "*").filter((el) => [...el.attributes].some(({ name }) => /^(?:data|hx)-/.test(name)) && !el.matches(TELLING) && scriptedKeysOf(el).length);
  const found = SCRIPTED.evaluate(root, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  return Array.from({ length: found.snapshotLength }, (_, place) => found.snapshotItem(place)).filter((el) => !el.matches(TELLING) && scriptedKeysOf(el).length);
}
const tokensNow = () => (memo ? (memo.tokens ||= wholeTokens()) : wholeTokens());
function wholeTokens(root = document) {
  const told = [...all(root, TELLING), ...scriptedIn(root)].filter((el) => !messageOf(el));
  return [...new Set([...(all(root, TO_ITSELF).length ? stepsOf(location.href) : []), ...told.flatMap(tokensOf)])].slice(0, WHOLE_TOKENS);
}
// The same of a frame, which nobody else waits for: it is read when it is quiet.
async function readMetAtRest(asked, cap) {
  if (asked.known !== documentToken) await atRest(cap);
  return { document: documentToken, met: readMet(asked) };
}
// A document that the asker does not know yet: all that it says, where it shows what is asked for, and what its forms
// hold that may be sent.
const SENT_FORM = "form[method=post i]";
// A script sends what stands in fields that have a name, in a form or in none.
const SENT_FIELDS = `${SENT_FORM}, input[name]:not([type=hidden]), textarea[name]`;
const readMet = remembering(({ known, most, own, shown, things, fields }) => (known === documentToken ? null : { document: documentToken, whole: readWhole(most, own), shown: shown && readShown(shown), things: things && readThings(things), fields: fields || all(document, effectsVersion > 11 ? SENT_FIELDS : SENT_FORM).length ? readFields().fields : null }));
// A document that is looked at beside the user's windows: all that is sought on it, at once.
const readAll = remembering(({ shown, things, names }) => ({ document: documentToken, shown: shown && readShown(shown), things: things && readThings(things), fields: names && readFields(names).fields }));
// What the nearest card around an element names of the kinds of some tokens; the element itself first.
const sortOf = (token) => (token.startsWith("#") ? token.replace(/\d+$/, "") : token.slice(0, Math.max(token.lastIndexOf("/"), token.lastIndexOf("=")) + 1));
function namedAround(el, tokens) {
  const cards = [...ancestors(el)].filter(isAlike).slice(0, THING_LEVELS);
  const told = [ownTokens(el), ...cards.map((at) => [...tokensIn(at)])];
  return [...new Set(tokens.map(sortOf))].flatMap((kind) => told.map((some) => some.filter((token) => sortOf(token) === kind)).find((some) => some.length) || []);
}
// Whether an element is of things that some tokens identify, and of no other one of that kind.
function isOfThing(el, tokens) {
  const named = namedAround(el, tokens);
  return named.length > 0 && named.every((token) => tokens.includes(token));
}
