// Knows that what an element leads to, or sends its form to, is of the thing that its card or its page is of: another address
// there names the same one by what the site has generated. By that alone a card is told whose button is another one's by now.

// What a site has generated in an address: where it stands, and how it names a thing; the last of the path first. A number
// alone is the id of anything: it counts with the step before it, or with its name in a query, where several addresses, or a
// heading, say it.
const UNLIKE_ANY = 6; // characters from which an id is hardly that of a thing of another kind
function idsIn(address) {
  let url;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    return [];
  }
  if (url.origin !== location.origin) return [];
  const route = HASH_ROUTE.exec(url.hash.slice(1))?.[2] || "";
  const steps = (path, kind) => {
    const parts = path.split("/");
    return parts.map((step, at) => [`${kind} ${at}`, step, parts[at - 1] || ""]).reverse();
  };
  const asked = [...url.searchParams].map(([name, value]) => [`query ${name}`, value, `?${name}`]);
  const found = [...steps(split(route, "?")[0], "route"), ...steps(url.pathname, "path"), ...asked];
  return found.filter(([, step]) => masked(step) !== step).map(([part, step, before]) => [part, [`${masked(before)}/${step}`, ...(step.length < UNLIKE_ANY ? [] : [step])], step]);
}
const LEADING = "a[href],form[action]";
// Where a page writes by itself which thing a card is of: with an id alone, whatever kind of thing that is.
const KEYS = ["data-id", "data-key", "data-pk", "data-uuid"];
const keyed = (id) => `=${id}`;
const isKeyed = (id) => id.startsWith("=");
const leadsTo = (el) => attr(el, el.matches("a") ? "href" : "action");
// Of an element: of where it leads to or its form is sent to, else of what its form holds out of sight.
// A button in a link leads where the link does.
const linkOf = (el) => (el.matches("a[href]") ? el : formOf(el) ? null : closest(el, "a[href]"));
function ownIds(el) {
  const form = linkOf(el) ? null : formOf(el);
  if (form && !form.hasAttribute("action")) return [];
  const sender = form && pressedBy(el);
  const ids = idsIn(form ? (sender && sender.getAttribute("formaction")) || form.getAttribute("action") : linkOf(el) ? attr(linkOf(el), "href") : "");
  if (ids.length || !form) return ids.map(([part, names, step]) => [part, [...names, keyed(step)]]);
  const hidden = [...(form.elements || [])].filter((at) => at.type === "hidden" && at.name && !GUARDING.test(at.name));
  return hidden.filter((at) => masked(at.value) !== at.value && at.value.length >= UNLIKE_ANY).map((at) => [`hidden ${at.name}`, [at.value, keyed(at.value)]]);
}
const allIn = (address) => idsIn(address).flatMap(([, ids]) => ids);
const share = (own, ids) => own.some((id) => ids.includes(id));
// The addresses of the nearest cards around an element, but for its own: a list each of shapes and what is generated there.
function addressesAround(el) {
  const own = linkOf(el) || formOf(el);
  const [role, name] = [roleOf(el), nameOf(el)];
  const cards = [...ancestors(el)].filter((at) => at !== document.body && at !== document.documentElement && isCard(at, el, role, name)).slice(0, 2);
  const keys = (card) => KEYS.map((key) => [key, attr(card, key)]).filter(([, id]) => id && masked(id) !== id).map(([key, id]) => [key, [keyed(id)], false]);
  return cards.map((card) => [...keys(card), ...all(card, LEADING).filter((at) => at !== own).map((at) => [shapeOf(leadsTo(at)), allIn(leadsTo(at)), !!closest(at, "h1,h2,h3,h4,h5,h6")])]);
}

// Where each of several things shows the number in its addresses, by another address or in what it is called, that is the
// number of the thing, however little a number says.
const numbersIn = (texts) => texts.flatMap((text) => text.match(/\p{N}+/gu) || []);
const stepOf = (el, part) => ownIds(el).find(([one]) => one === part)?.[1].at(-1).slice(1) || "";
const CALLED = "called"; // stands for the shape of an address, where it is the title that has the number
// Of an element and of its lookalikes beside it: the number, and what else of the same thing has one, by the shape of its address.
function stepsAround(el, part) {
  const [role, name] = [roleOf(el), nameOf(el)];
  const card = [...ancestors(el)].find((at) => !isPage(at) && isCard(at, el, role, name));
  const ofOne = (at, root) => {
    const own = linkOf(at) || formOf(at);
    const others = root ? all(root, LEADING).filter((other) => other !== own).map((other) => [shapeOf(leadsTo(other)), idsIn(leadsTo(other))[0]?.[2]]) : [];
    const titles = root ? textsOf(root).slice(0, textsOf(root).titles) : [nameOf(at)];
    return [stepOf(at, part), [...others.filter(([, step]) => step), ...numbersIn(titles).map((step) => [CALLED, step])]];
  };
  const beside = card ? siblingsOf(card).map((other) => [likeIn(other, el, role, name).concat(likeAddresses(el).filter((at) => holds(other, at)))[0], other]) : likeAddresses(el).map((at) => [at]);
  return [[el, card], ...beside.filter(([at]) => at).slice(0, MOST_OFFERED)].map(([at, root]) => ofOne(at, root)).filter(([step]) => step);
}
const likeAddresses = (el) => (el.matches("a[href]") ? all(document, "a[href]").filter((other) => visible(other) && attr(other, "href") !== attr(el, "href") && shapeOf(attr(other, "href")) === shapeOf(attr(el, "href")) && nameOf(other)) : []);
function sharedByAll(el) {
  const part = el.matches("a[href],button,input,textarea,select") && ownIds(el)[0]?.[0];
  const [own, ...others] = part ? stepsAround(el, part) : [];
  if (!others?.length) return "";
  const agrees = ([step, near], shape) => near.some((one) => one[0] === shape && one[1] === step);
  const shapes = [...new Set(own[1].map(([shape]) => shape))].filter((shape) => [own, ...others].every((one) => agrees(one, shape)));
  return shapes.length ? [part, "cards", ...shapes].join("\n") : "";
}
// Which of what is generated the element shares, with what, and the shapes of the addresses there; empty where it shares none.
const sharedBy = (el) => [sharedNear(el), sharedByAll(el)].filter(Boolean).join("\n\n");
function sharedNear(el) {
  if (!el.matches("a[href],button,input,textarea,select")) return "";
  for (const [part, own] of ownIds(el)) {
    if (share(own, allIn(location.href))) return [part, "page", shapeOf(location.href)].join("\n");
    for (const near of addressesAround(el)) {
      const shapes = new Set(near.map(([shape]) => shape).filter((shape) => near.every(([other, ids]) => other !== shape || share(own, ids))));
      const headed = near.some(([, ids, isHeading]) => isHeading && share(own, ids));
      if (shapes.size > (part.startsWith("query") && own.length < 3 && !headed ? 1 : 0)) return [part, "card", ...shapes].join("\n");
    }
  }
  return "";
}
// What it is that the element and the address it shared that with do not share any more: [expected, found]; null where nothing
// contradicts. An address that is gone says nothing.
const sharesNoMore = (el, shared) => shared.split("\n\n").map((one) => sharesOneNoMore(el, one)).find(Boolean) || null;
function sharesOneNoMore(el, shared) {
  const [part, where, ...shapes] = shared.split("\n");
  const own = ownIds(el).find(([one]) => one === part)?.[1];
  if (!own) return null;
  if (where === "cards") {
    // All numbers may be others by now. Two things of which one has what the other one says have exchanged theirs.
    const [own, ...others] = stepsAround(el, part);
    const said = ([, near], shape) => near.filter(([of]) => of === shape).map(([, step]) => step);
    const lacks = (one, shape) => said(one, shape).length > 0 && !said(one, shape).includes(one[0]);
    const turned = own && shapes.find((shape) => lacks(own, shape) && others.some((other) => said(own, shape).includes(other[0]) && lacks(other, shape)));
    return turned ? [said(own, turned)[0], own[0]] : null;
  }
  const here = where === "page" ? [shapes.includes(shapeOf(location.href)) ? allIn(location.href) : []] : addressesAround(el).map((near) => near.filter(([shape]) => shapes.includes(shape)).flatMap(([, ids]) => ids));
  const ids = here.find((some) => some.length) || [];
  // All links of a card may be another thing's by now: what the page calls the card says so.
  for (const some of [ids.filter(isKeyed), ids.filter((id) => !isKeyed(id))]) if (some.length && !share(own, some)) return [some[0], own[0]];
  return null;
}
