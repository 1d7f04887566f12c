// Finds the elements that a query admits: located by one kind of primary evidence, contradicted by nothing.
// The rule, which evidence locates and which contradicts, is not decided here: a query is compiled by its caller.

// A card shows certain texts as they are, and holds others inside longer ones.
function cardShows(card, scope) {
  const texts = textsOf(card);
  return (scope.must || []).every((text) => texts.includes(text)) && (scope.holds || []).every((text) => texts.some((at) => at.includes(text)));
}

function containers(scope) {
  if (!scope) return [document];
  if (scope.kind === "latest") return [{ latest: true }];
  if (scope.kind === "form") return all(document, "form").filter((form) => cut(formName(form), 120) === scope.name && visible(form));
  if (["dialog", "landmark", "group"].includes(scope.kind)) return withRole(document, scope.role).filter((el) => visible(el) && nameOf(el) === (scope.name || ""));
  if (scope.kind === "section") {
    const headings = all(document, HEADINGS).filter((heading) => visible(heading) && cut(nameOf(heading), 120) === scope.name);
    return headings.map((heading) => ({ heading }));
  }
  const showing = (cards) => cards.filter((card) => visible(card) && cardShows(card, scope));
  const same = showing(all(document, CARD_TAGS.has(scope.role) ? scope.role : "*").filter((el) => (roleOf(el) || tagOf(el)) === scope.role));
  // What was a list may be a table by now.
  const fits = same.length ? same : showing(all(document, TYPICAL_CARDS));
  // Of cards in cards the innermost counts.
  return fits.filter((card) => !fits.some((other) => other !== card && holds(card, other)));
}
function within(container, elements) {
  if (container === document) return elements;
  if (container.latest) return elements.filter((el) => isLatest(el, elements));
  if (container.heading) return elements.filter((el) => headingsAround(el).includes(container.heading));
  return elements.filter((el) => holds(container, el));
}

// Of some elements those in a scope. What shows the texts of a card innermost may be a part of it that holds none of them:
// then the card is what stood as high above the element when it was recorded.
function placed(scope, elements) {
  const found = containers(scope).flatMap((container) => within(container, elements));
  const card = (el) => [...ancestors(el)][scope.levels - 1];
  const fits = (at) => !!at && (roleOf(at) || tagOf(at)) === scope.role && cardShows(at, scope) && within(at, elements).length === 1;
  return found.length || !scope?.levels ? found : elements.filter((el) => fits(card(el)));
}

const called = (el, query) => roleOf(el) === query.role && nameOf(el) === query.value;
// How each kind of primary evidence is found on a page, and known again on an element.
const PRIMARY = {
  test_id: { find: (query) => withTestId(document, query.value), is: (el, query) => testIdOf(el) === query.value },
  role: { find: (query) => withRole(document, query.role).filter((el) => nameOf(el) === query.value), is: called },
  leads: { find: (query) => PRIMARY.role.find(query), is: called },
  parts: { find: (query) => withParts(document, query.must.role, query.value), is: (el, query) => partsOf(el).lasting === query.value },
  label: { find: (query) => withLabel(document, query.value), is: (el, query) => labelOf(el) === query.value },
  name_attr: { find: (query) => withValue(document, "name", query.value), is: (el, query) => attr(el, "name") === query.value },
  caption: { find: (query) => withCaption(document, query.value), is: (el, query) => isCaptioned(el, query.value) },
  text: { find: (query) => withText(document, query.must.tag, query.must.role, query.value), is: (el, query) => shownBy(el) === query.value },
  // What a style adds may be another under the pointer.
  picture: {
    find: (query) => withPicture(document, query.must.tag, query.value),
    is: (el, query) => !nameOf(el) && !shownBy(el) && (query.value.startsWith("style ") ? query.value.endsWith(valueOf(el)) : pictureOf(el) === query.value),
  },
  named: { find: (query) => withName(document, query.must.tag, query.value), is: (el, query) => !roleOf(el) && nameOf(el) === query.value },
  member: { find: (query) => all(document, CSS.escape(query.must.tag)).filter((el) => roleOf(el) === query.must.role && memberOf(el).member === query.value), is: (el, query) => memberOf(el).member === query.value },
  bare: { find: (query) => [query.value === "body" ? document.body : document.documentElement].filter(Boolean), is: (el) => isBare(el) },
  ref: { find: (query) => [refs.get(query.value)?.deref()].filter((el) => el && el.isConnected), is: (el, query) => refOf.get(el) === query.value },
};
function located(query) {
  const pool = PRIMARY[query.by].find(query).filter((el) => query.hidden || visible(el));
  return placed(query.scope, pool);
}

// Whether a part of the page that a query names is around an element.
function isAround(scope, el, query) {
  const sought = scope.name || "";
  if (scope.kind === "form") return !!formOf(el) && cut(formName(formOf(el)), 120) === sought;
  const outer = [...ancestors(el)].filter((at) => at !== document.body && at !== document.documentElement);
  if (scope.kind === "section") {
    // Older recordings have the heading before it.
    const around = [...headingsAround(el), outer.map((at) => headingBefore(at, el)).find(Boolean)];
    const named = (heading) => cut(nameOf(heading), 120);
    const names = around.filter(Boolean).map(named);
    if (names.includes(sought) || !scope.shape) return names.includes(sought);
    // Another number beside what is the user's own, unless another part of the page has the recorded one.
    const alike = new RegExp(`^(?:${scope.shape})$`, "u");
    return names.some((name) => alike.test(name)) && !all(document, HEADINGS).some((heading) => visible(heading) && named(heading) === sought);
  }
  if (scope.kind !== "card") return outer.some((at) => roleOf(at) === scope.role && nameOf(at) === sought);
  const [role, name] = [roleOf(el), nameOf(el)];
  const cards = outer.filter((at) => isCard(at, el, role, name)).slice(0, 2);
  // What holds several lookalikes is no card of one of them, unless it is what stood as high above the element when it was
  // recorded: a row with a button in each cell. What leads elsewhere is no lookalike.
  const alike = (twin) => visible(twin) && !differences(query, twin).length;
  const own = (card) => !["role", "leads", "parts", "text", "named", "picture"].includes(query.by) || apart(likeIn(card, el, role, name).filter(alike)).length === 1;
  const asHigh = (card) => outer.indexOf(card) === scope.levels - 1 && (roleOf(card) || tagOf(card)) === scope.role;
  return cards.some((card) => cardShows(card, scope) && (asHigh(card) || own(card)));
}
const inWords = (scope) => (scope.kind === "card" ? [...(scope.must || []), ...(scope.holds || [])].join(", ") : scope.name);

const isDialog = (at) => ["dialog", "alertdialog"].includes(roleOf(at));
// What a script draws for the name of a field that it adds. `_DRAWN` of simulator.replay.evidence.resolve is its twin.
const DRAWN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{6,}/g;
// What the option of a list is sent as that is called so; `usual` where there is none yet.
const sentFor = (el, called, usual) => ([...(el.options || [])].find((one) => one.value === called || fold(one.label) === called) || { value: usual }).value;
// Another link of the card around one, or of the page where that has no other, that leads to some address; `whatever` it is called.
function leadsInstead(el, shape, whatever) {
  const [role, name] = [roleOf(el), nameOf(el)];
  const others = (at) => all(at, "a[href]").filter((other) => other !== el && visible(other));
  const card = [...ancestors(el)].find((at) => !isPage(at) && isCard(at, el, role, name) && others(at).length);
  return others(card || document).some((other) => (whatever || nameOf(other) !== name) && shapeOf(attr(other, "href")) === shape);
}
// What a choice was sent as, and is now, where it has exchanged that with another one: [expected, found]; else null. Numbers
// may be others on another day, all of them; two that are each other's now mean something else.
function exchangedOffer(el, offers, called) {
  const [now, then] = [new Map(numberedChoices(el)), new Map(offers)];
  const [was, is] = [then.get(called), now.get(called)];
  if (!was || !is || was === is || ![...then].some(([name, value]) => name !== called && value === is)) return null;
  const taken = [...now].some(([name, value]) => value === was && name !== called && then.has(name) && then.get(name) !== was);
  return taken || withoutNumbers(was) !== withoutNumbers(is) ? [was, is] : null;
}
// What of an element itself contradicts the query: [kind, expected, found] for each.
function differences(query, el) {
  const out = [];
  const differ = (kind, expected, found) => expected !== undefined && expected !== found && out.push([kind, expected, found]);
  const must = query.must || {};
  differ("tag", must.tag, tagOf(el));
  differ("role", must.role, roleOf(el));
  differ("type", must.type, typeOf(el));
  if (!(query.renamed && must.name_attr && isRenamed(el, { fields: query.beside || [], ...query.renamed }, must.name_attr))) differ("name", must.name_attr, attr(el, "name"));
  differ("name", must.name_shape, attr(el, "name").replace(DRAWN, "{id}"));
  differ("form", must.form, must.form === undefined ? "" : formShape(formOf(el)));
  differ("href", must.href, must.href === undefined || !el.hasAttribute("href") ? "" : shapeOf(attr(el, "href")));
  // A link may lead elsewhere by now; where it led, no other one of its card does that is called otherwise.
  if (must.led && shapeOf(attr(el, "href")) !== must.led && leadsInstead(el, must.led, must.led_by_any)) differ("href", must.led, shapeOf(attr(el, "href")));
  // A caption may be worded anew; one that another field has now has moved there.
  if (must.caption && !isCaptioned(el, must.caption) && withCaption(formOf(el) || document, must.caption).some(visible)) differ("caption", must.caption, captionOf(el));
  differ("place in its set", must.in_set, must.in_set === undefined ? "" : placeInSet(el));
  differ("group", must.group, must.group === undefined ? "" : memberOf(el).group);
  differ("what it is sent as", must.value, must.value === undefined ? "" : sentAs(el));
  if (must.sent !== undefined) differ(`what '${must.option}' is sent as`, must.sent, sentFor(el, must.option, must.sent));
  const turned = query.offers?.length ? exchangedOffer(el, query.offers, must.option ?? (nameOf(el) || captionOf(el))) : null;
  if (turned) out.push([`what '${must.option ?? nameOf(el)}' is sent as`, ...turned]);
  const lost = must.shares ? sharesNoMore(el, must.shares) : null;
  if (lost) out.push(["thing", ...lost]);
  if (query.older?.length && isOfThing(el, query.older)) out.push(["thing", "what was made before in this run", "one that had stood there by then"]);
  const column = must.column ? columnOf(el) : "";
  if (column !== (must.column || "") && (!nameOf(el) || headersAround(el).includes(must.column))) out.push(["column", must.column, column]);
  differ("called", must.called, must.called === undefined ? "" : nameOf(el));
  for (const [label, was, now] of namesMoved(el, query.beside || [], must.name_attr)) out.push([`name of '${label}'`, was, now]);
  out.push(...pressDiffers(must, el));
  differ("place", must.place, must.place === undefined ? "" : [...ancestors(el)].some(isDialog) ? "dialog" : "page");
  return out;
}
// The same of the element and what is around it. Empty: nothing contradicts.
function contradictions(query, el) {
  const out = differences(query, el);
  const lost = [query.shows, query.also].filter(Boolean).flatMap((card) => lostWords(el, card, query));
  if (lost.length) out.push(["card", lost.join(", "), cardWords(el)]);
  for (const part of query.named || []) {
    const lost = unsaid(el, part);
    if (lost) out.push([part.kind, ...lost]);
  }
  for (const scope of (query.bound || []).filter((scope) => !isAround(scope, el, query))) {
    const around = scopesOf(el, roleOf(el), nameOf(el)).filter(([, at]) => at.kind === scope.kind);
    out.push([scope.kind, inWords(scope), around.map(([, at]) => at.texts?.slice(0, 3).join(", ") || at.name).join(" | ")]);
  }
  return out;
}
// Whether anything does: asked of each lookalike in a list, so that the rest is not asked once something does.
const isContradicted = (query, el) =>
  differences(query, el).length > 0 || [query.shows, query.also].some((card) => card && lostWords(el, card, query).length) || (query.named || []).some((part) => unsaid(el, part)) || (query.bound || []).some((scope) => !isAround(scope, el, query));
// Whether an element that was admitted still has what admitted it; its being the only one was proven a moment ago.
const stillFits = remembering(
  (query, el) =>
    PRIMARY[query.by].is(el, query) && (query.hidden || visible(el)) && !isContradicted(query, el) &&
    (!query.scope || query.scope.kind === "latest" || placed(query.scope, [el]).length > 0),
);

// Whether nothing contradicts but the number behind the name of a thing in an address: a site adds it where that name is taken,
// so that the thing of the recorded name may be an earlier one.
const AGAIN = /[-_](?:\d+|\{id\})$/;
function isCalledAnew(query, el) {
  const stems = (address) => address.split(/[/?&= ]/).map((step) => step.replace(AGAIN, "")).join("/");
  const isAnew = ([kind, was, now]) => ["form", "href", "sends"].includes(kind) && stems(was) === stems(now);
  const own = differences(query, el); // in most of a long list it is their cards that differ
  return own.length > 0 && own.every(isAnew) && contradictions(query, el).every(isAnew);
}

let lastLook = null;
// All elements that the query admits; remembers what it saw, for a report.
const admit = remembering((query) => {
  const found = [...new Set(located(query))];
  const agreed = found.filter((el) => !isContradicted(query, el));
  lastLook = { found, agreed };
  if (agreed.length) {
    const anew = found.filter((el) => !agreed.includes(el) && isCalledAnew(query, el));
    if (anew.length) return [...agreed, ...anew];
  }
  // Of several that nothing contradicts, the one that is where it was.
  for (const scope of agreed.length > 1 ? query.scopes || [] : []) {
    const inside = [...new Set(containers(scope).flatMap((container) => within(container, agreed)))];
    if (inside.length === 1) return inside;
  }
  return query.twins ? reachable(apart(agreed)) : apart(agreed);
});

// Nothing yet. Only the time counts in which the page had nothing on its way: a slow machine is no missing element.
const seeking = { body: "", idle: 0, last: 0 };
function waiting(body, query, onItsWay) {
  const at = now();
  if (seeking.body !== body) Object.assign(seeking, { body, idle: 0, last: at });
  // Looks are up to half a second apart; a longer gap is the machine's, not the page's.
  if (!onItsWay) seeking.idle += Math.min(at - seeking.last, 600);
  seeking.last = at;
  if (seeking.idle > (query.patience ?? Infinity)) {
    seeking.body = "";
    throw new Error("no element is proven");
  }
  return [];
}

// Selector engine "sim": the one element that a query admits, armed in the guard; nothing while the page is busy or unsure.
function resolve(body) {
  if (body === "secrets") return all(document, "input,textarea").filter(isSecret);
  if (body === "armed" || body === "onto") return [guard[body]?.el].filter((el) => el?.isConnected);
  if (body === "touch") return resolve("armed").map(touchOf);
  if (body === "resting") return resting();
  if (body === "still") return resolve("armed").map(touchStill);
  if (body === "open") return resolve("armed").filter((el) => !shutOffBy(el));
  if (body === "come") return resolve("open").filter(comesTo);
  if (body === "whole") return resolve("open").map(takeWhole);
  if (body === "behind") return resolve("open").map(behind);
  const query = fromJson(body);
  if (query.part) return pickerPart(query.part);
  if (document.readyState === "loading" || activity.navigating || guard.stopped.length) return waiting(body, query, true);
  const found = admit(query);
  // Several are waited for too: what is still on its way may distinguish them.
  if (found.length !== 1) return waiting(body, query, busy());
  const el = found[0];
  const still = () => {
    if (!el.isConnected) return "the proven element has left the page";
    return stillFits(query, el) ? "" : "the proven element no longer fits its evidence";
  };
  if (query.onto) armOnto(el, still);
  else arm(el, still, query.holding).sought = true;
  return [el];
}

// What a choice can fall on: the recorded element where it is still proven, none where several are like it, else the
// links of its collection that are not the chooser's own.
function choices({ query, collection, own }) {
  const told = (el) => ({ ref: ref(el), name: nameOf(el), href: hereOf(el.href || "") });
  const exact = query ? admit(query) : [];
  if (exact.length) return { exact: exact.length === 1 ? told(exact[0]) : null, several: exact.length > 1, links: [] };
  const links = withRole(document, "link").filter((el) => el.hasAttribute("href") && shapeOf(el.getAttribute("href")) === collection && visible(el));
  const others = links.filter((el) => nameOf(el) && !textsOfCard(el).some((text) => own.includes(text)));
  return { exact: null, several: false, links: others.map(told) };
}

// The words that the card of an element lacks, where these alone keep it from being the one that a query admits, and it leads
// to one of some addresses.
const changedWords = remembering((query, addresses) => {
  const [el, ...more] = admit({ ...query, shows: undefined });
  if (!el || more.length) return [];
  const form = SENDING.has(typeOf(el)) && formOf(el);
  const own = tagOf(el) === "a" ? el.href : form ? attr(el, "formaction") || form.getAttribute("action") || "" : "";
  const leads = own && new URL(own, document.baseURI).href.split("#")[0];
  return addresses.includes(leads) ? lostWords(el, query.shows, query) : [];
});

// What elements say of themselves that may be meant by a query in which secrets are left out: the rest of it is in a text.
const MAX_MEANT = 60; // elements
function evidenceOf({ tag, role, hidden, parts }) {
  const says = (el) => [nameOf(el), labelOf(el), captionOf(el), shownBy(el), testIdOf(el), attr(el, "name"), partsOf(el).lasting];
  const meant = (el) => tagOf(el) === tag && roleOf(el) === role && (hidden || visible(el)) && says(el).some((text) => parts.every((part) => (text || "").includes(part)));
  return all(document, tag).filter(meant).slice(0, MAX_MEANT).map((el) => describe(el));
}

// What has the same name as what is sought, in another role.
const ELSEWHERE = `${ACTIONABLE},${FIELDS}`;
function inOtherRoles(query, role) {
  if (!query.value || !["role", "leads", "label", "parts"].includes(query.by)) return [];
  const found = all(document, ELSEWHERE).filter((el) => visible(el) && roleOf(el) !== role && [nameOf(el), labelOf(el)].includes(query.value));
  return innermost(found).slice(0, 4);
}
// What a query finds now, in words, for a report of a drift. `act`: as an obstacle is asked for.
function explain(query, act = "point") {
  const found = admit(query);
  const near = [];
  const role = query.role || (query.must && query.must.role);
  if (!lastLook.found.length && role) {
    for (const el of withRole(document, role).filter(visible).slice(0, 40)) near.push(el);
  }
  return {
    admitted: found.length,
    candidates: lastLook.found.slice(0, 10).map((el) => ({ evidence: describe(el), against: contradictions(query, el) })),
    near: near.slice(0, 12).map((el) => describe(el)),
    elsewhere: lastLook.found.length ? [] : inOtherRoles(query, role).map((el) => describe(el)),
    obstacle: found.length === 1 ? obstacle(found[0], act) : "", cover: found.length === 1 && act !== "type" ? coverOf(found[0]) : "",
    opened: dialogsOf(),
    dialogs: (query.scopes || []).filter((scope) => scope.kind === "dialog" && containers(scope).length).length,
    stopped: [...guard.told, ...guard.stopped], state: pageState(),
  };
}

// Whether a query admits what the guard is armed with, and nothing else: null where it does, else what it finds now.
function proves(query) {
  const el = guard.armed?.el;
  if (!el?.isConnected) return null;
  const found = admit(query);
  if (found.length === 1 && (found[0] === el || (lastLook.agreed.includes(el) && apart(lastLook.agreed).length === 1))) return null;
  return { ...explain(query), other: found.length === 1 ? describe(found[0]) : null };
}

// What reacts at a point of the viewport, "x,y" in CSS pixels; open shadow roots are looked into.
function hitBy(point) {
  const [x, y] = point.split(",").map(Number);
  let hit = document.elementFromPoint(x, y);
  while (hit?.shadowRoot) {
    const inner = hit.shadowRoot.elementFromPoint(x, y);
    if (inner?.getRootNode() !== hit.shadowRoot) break;
    hit = inner;
  }
  return hit;
}
function atPoint(point) {
  const hit = hitBy(point);
  return hit && actionableOf(hit);
}
// Where in it the point is, if it reacts by place: a slider, a drawing. Anything else reacts as a whole.
function placeAt(point) {
  const el = atPoint(point);
  if (!el || (reacts(el) && el.type !== "range")) return null;
  const [x, y] = point.split(",").map(Number);
  const box = el.getBoundingClientRect();
  return [x - box.x - el.clientLeft, y - box.y - el.clientTop];
}
// A place of the window where nothing is, as one of an element that stands for the bare page; the given one where it will do.
// Places are tried in steps, from the edges on, where popups seldom are.
const STEP = 24; // CSS pixels
function barePlace(wanted) {
  const el = guard.armed?.el;
  if (!el) return null;
  const box = el.getBoundingClientRect();
  const own = [box.x + el.clientLeft, box.y + el.clientTop];
  const isFree = ([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && hitBy(`${x},${y}`) === el;
  const places = wanted ? [[wanted[0] + own[0], wanted[1] + own[1]]] : [];
  for (let y = innerHeight - 2; y > 0; y -= STEP) for (let x = innerWidth - 2; x > 0; x -= STEP) places.push([x, y]);
  const found = places.find(isFree);
  return found ? [found[0] - own[0], found[1] - own[1]] : null;
}
// Whether the page shows a text.
const shows = (text) => fold(shownText(document.body)).includes(fold(text));

// What a selector fits whose parts stand in different trees, as `my-form [name=title]`: an open shadow root is in its host.
function across(selector) {
  const words = (shadows && selector.match(/(?:\[[^\]]*\]|\([^)]*\)|"[^"]*"|'[^']*'|\\.|[^\s[("'\\])+/g)) || [];
  const parts = [];
  for (const word of words) {
    if (parts.length && (/^[>+~]/.test(word) || /[>+~]$/.test(parts.at(-1)))) parts.push(`${parts.pop()} ${word}`);
    else parts.push(word);
  }
  const last = parts.pop();
  if (!parts.length || selector.includes(",")) return [];
  const around = (el) => el.parentElement || el.getRootNode().host;
  const isIn = (el) => parts.reduceRight((at, part) => {
    do at = at && around(at);
    while (at && !at.matches(part));
    return at;
  }, el);
  return all(document, last).filter(isIn);
}
