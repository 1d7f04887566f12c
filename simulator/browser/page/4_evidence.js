// Takes the evidence of one element, and the facts about a page that a check compares.

const ROLE_TAGS = {
  button: "button,input,summary", link: "a,area", textbox: "input,textarea", searchbox: "input", combobox: "select,input", listbox: "select,datalist",
  checkbox: "input", radio: "input", spinbutton: "input", slider: "input", heading: "h1,h2,h3,h4,h5,h6", listitem: "li", row: "tr", cell: "td", option: "option",
  article: "article", img: "img,svg", form: "form", dialog: "dialog", navigation: "nav", main: "main", banner: "header", contentinfo: "footer",
  complementary: "aside", region: "section", group: "fieldset,details,optgroup", table: "table", list: "ul,ol,menu", search: "search",
};
// Only elements that can have the role are asked for it.
const withRole = (root, role) => all(root, `${ROLE_TAGS[role] || "*"},[role~="${CSS.escape(role)}"]`).filter((el) => roleOf(el) === role);
const sameRoleName = (root, role, name) => withRole(root, role).filter((el) => visible(el) && nameOf(el) === name);

const TEST_IDS = ["data-testid", "data-test-id", "data-test"];
const testIdOf = (el) => TEST_IDS.map((name) => attr(el, name)).find(Boolean) || "";
const withTestId = (root, id) => [...new Set(TEST_IDS.flatMap((name) => withValue(root, name, id)))];
const formOf = (el) => el.form || el.closest("form") || [...ancestors(el)].find((at) => tagOf(at) === "form") || null;
// form.action and form.method answer a field of that name, if the form has one.
const formShape = (form) =>
  form ? `${(form.getAttribute("method") || "get").toLowerCase()} ${shapeOf(form.getAttribute("action") || location.pathname)}` : "";
const typeOf = (el) => (["input", "button", "select"].includes(tagOf(el)) ? el.type : "");
// What one of several is sent as.
const sentAs = (el) => (["radio", "checkbox", "submit", "button"].includes(typeOf(el)) ? attr(el, "value") : "");
const isSecret = (el) => {
  unmasked(unmasking.takeRecords());
  return el.type === "password" || /\b(?:current-password|new-password|one-time-code|cc-number|cc-csc)\b/.test(attr(el, "autocomplete")) || masks.has(el);
};
const masks = new WeakSet(); // fields that were of type password once: a "show password" button changes the type
const unmasked = (records) => records.forEach((one) => (one.oldValue || "").toLowerCase() === "password" && masks.add(one.target));
const unmasking = new MutationObserver(unmasked);
observe(unmasking, { subtree: true, attributeFilter: ["type"], attributeOldValue: true });

function textOf(el) {
  if (["input", "textarea", "select"].includes(tagOf(el))) return "";
  return cut(fold(el.innerText ?? el.textContent), 120);
}

// What has no name is identified by what it shows: the innermost elements of a tag and a role with just that text. A dialog
// may hold a part without a role that shows as much.
const squeezed = (text) => fold(text).replace(/ /g, "").toLowerCase();
const shownBy = (el) => (seenAs?.el === el ? seenAs.text : el.isContentEditable || isDrawnField(el) ? "" : textOf(el));
function withText(root, tag, role, text) {
  const sought = squeezed(text);
  const isOfRole = (el) => evidenceVersion < 3 || roleOf(el) === role;
  return innermost(all(root, CSS.escape(tag)).filter((el) => squeezed(el.textContent).includes(sought) && shownBy(el) === text && isOfRole(el)));
}
// What has a name and no role: a day of a calendar, an icon with a title.
const withName = (root, tag, name) =>
  all(root, ["aria-label", "aria-labelledby", "title"].map((at) => `${CSS.escape(tag)}[${at}]`).join()).filter((el) => !roleOf(el) && nameOf(el) === name);

// The elements below a root that are like one, by what identifies it.
// A field in a table is called by its row and its column.
const pictureIn = (el) => (el.matches(FIELDS) && columnOf(el) ? "" : pictureOf(el));
function likeIn(root, el, role, name) {
  const [place, column] = [placeInSet(el), columnOf(el)];
  const found = () => {
    if (name) return role ? withRole(root, role).filter((at) => nameOf(at) === name && (!place || placeInSet(at) === place)) : withName(root, tagOf(el), name);
    if (shownBy(el)) return withText(root, tagOf(el), role, shownBy(el));
    return pictureIn(el) ? withPicture(root, tagOf(el), pictureIn(el)) : withRole(root, role).filter((at) => !nameOf(at));
  };
  return column ? found().filter((at) => columnOf(at) === column) : found();
}

// A link of the same name that leads to the same place, and differs in its looks alone, is the same to whoever clicks it:
// the picture and the title of a card. The first stands for all.
const LOOKS = /^(?:class|id|style|title|tabindex|accesskey|aria-.*)$/; // and by which keys it is reached
const leadsAway = (el) => tagOf(el) === "a" && /^https?:$/.test(el.protocol) && (el.href.split("#")[0] !== location.href.split("#")[0] || /^#[!/]/.test(el.hash));
const actOf = (el) => [el.href, roleOf(el), nameOf(el), ...[...el.attributes].filter(({ name }) => !LOOKS.test(name)).map(({ name, value }) => `${name}=${value}`).sort()].join("\n");
function apart(elements) {
  if (elements.length < 2) return elements;
  const seen = new Set();
  return elements.filter((el) => {
    if (!leadsAway(el) || !nameOf(el)) return true;
    const act = actOf(el);
    return !seen.has(act) && seen.add(act);
  });
}

// The texts that a card shows, headings and links first: as many as `titles` says.
function textsOf(card, { most = 24, without = "" } = {}) {
  const first = [];
  const rest = [];
  const walk = (node, strong) => {
    for (const child of node.shadowRoot ? [...node.shadowRoot.childNodes, ...node.childNodes] : node.childNodes) {
      if (first.length + rest.length > most) return;
      if (child.nodeType === 3) {
        const text = cut(fold(child.textContent), 80);
        if (text && !first.includes(text) && !rest.includes(text)) (strong ? first : rest).push(text);
      } else if (child.nodeType === 1 && !hiddenForAria(child) && !["textarea", "select", "option"].includes(tagOf(child)) && !(without && child.matches(without))) {
        const stronger = strong || /^h[1-6]$/.test(tagOf(child)) || tagOf(child) === "a" || roleOf(child) === "heading";
        if (tagOf(child) === "img" && child.alt && !first.includes(fold(child.alt))) rest.push(cut(fold(child.alt), 80));
        walk(child, stronger);
      }
    }
  };
  if (tagOf(card) === "tr") for (const cell of [groupRow(card), ...spanning(card)].filter(Boolean)) walk(cell, false);
  // A description belongs to the term before it.
  for (let at = tagOf(card) === "dd" && card.previousElementSibling; at && tagOf(at) === "dt"; at = at.previousElementSibling) walk(at, true);
  walk(card, false);
  return Object.assign([...first, ...rest.filter((text) => !first.includes(text))], { titles: first.length });
}

// What a link or a button shows that is a card as a whole, with a heading in it: without what changes from day to day, as
// far as that stands for itself: counts, prices, times.
const COUNTED = /^[^\p{L}]*(?:\d[\d.,]*\s\p{L}+)?[^\p{L}]*$/u;
function partsOf(el) {
  const headings = /^(?:link|button)$/.test(roleOf(el)) ? all(el, HEADINGS).filter(visible) : [];
  if (headings.length !== 1 || !/\p{L}/u.test(nameOf(headings[0]))) return { lasting: "", changing: false };
  const texts = [];
  const walker = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (fold(walker.currentNode.textContent) && visible(walker.currentNode.parentElement)) texts.push(walker.currentNode);
  const lasting = texts.filter((text) => holds(headings[0], text) || !(text.parentElement.closest("time") || COUNTED.test(fold(text.textContent))));
  return { lasting: cut(lasting.map((text) => fold(text.textContent)).join(" / "), 400), changing: lasting.length < texts.length };
}
const withParts = (root, role, parts) => withRole(root, role).filter((el) => partsOf(el).lasting === parts);

const CARD_TAGS = new Set(["li", "tr", "article"]);
const CARD_ROLES = new Set(["row", "listitem", "article", "treeitem"]);
const TYPICAL_CARDS = [...CARD_TAGS, ...[...CARD_ROLES].map((role) => `[role=${role}]`)].join();
function siblingsOf(el) {
  const parent = el.parentNode;
  return parent ? [...parent.children].filter((other) => other !== el && tagOf(other) === tagOf(el) && visible(other)) : [];
}
// A card is one of several alike siblings: a row, a list item, or anything whose sibling holds a lookalike of the element.
function isCard(at, el, role, name) {
  const siblings = siblingsOf(at);
  const typical = CARD_TAGS.has(tagOf(at)) || CARD_ROLES.has(roleOf(at));
  if (!siblings.length) return typical;
  return typical || siblings.some((other) => likeIn(other, el, role, name).length);
}
// The fewest texts, the first ones first, that no single one of some others has all of; none where one has them all.
function fewestOf(texts, others) {
  const alone = texts.find((text) => others.every((other) => !other.has(text)));
  if (alone) return [alone];
  const found = [];
  let left = others;
  for (const text of texts) {
    const still = left.filter((other) => other.has(text));
    if (still.length < left.length) {
      found.push(text);
      left = still;
    }
    if (!left.length) break;
  }
  return left.length ? [] : found;
}
function cardScope(card) {
  const own = textsOf(card);
  const siblings = siblingsOf(card);
  const others = siblings.map((other) => new Set(textsOf(other)));
  const shared = (text) => others.length > 0 && others.every((texts) => texts.has(text));
  // Texts with digits come last: counts and dates change from visit to visit.
  const telling = own.filter((text) => !shared(text));
  const texts = [...telling.filter((text) => !/\d/.test(text)), ...telling.filter((text) => /\d/.test(text))];
  // Words decide together before a number decides alone: what a number is changes from day to day.
  const worded = fewestOf(texts.filter(isWord), others);
  const tells = worded.length ? worded : fewestOf(texts, others);
  const rest = texts.filter((text) => !tells.includes(text));
  // A number decides only between cards that show nothing else.
  const numbered = tells.some((text) => /[\p{L}\p{N}]/u.test(text) && !isWord(text)) && textsWithout(card, 24).some(isWord);
  return { kind: "card", role: roleOf(card) || tagOf(card), name: "", texts: [...tells, ...rest].slice(0, 10), tells: tells.length, numbered, ...tellingWords(card, siblings) };
}
const HEADINGS = "h1,h2,h3,h4,h5,h6,[role=heading]";
const LANDMARKS = new Set(["navigation", "main", "banner", "contentinfo", "complementary", "region", "search"]);
const ENCLOSING = "li,tr,article,section,form,nav,aside,details,dialog,[role=row],[role=listitem],[role=article],[role=dialog],[role=region]";
// Headings before an element, nearest first: none that belongs to a neighbouring card or section.
const headingsBefore = (box, el) =>
  all(box, HEADINGS)
    .filter((heading) => precedes(heading, el) && !holds(heading, el))
    .filter((heading) => ![...ancestors(heading)].some((at) => at.matches(ENCLOSING) && !holds(at, el)) && visible(heading))
    .reverse();
const headingBefore = (box, el) => headingsBefore(box, el)[0];
const rankOf = (heading) => Number(attr(heading, "aria-level") || tagOf(heading).slice(1)) || 2;
// The headings of the sections in which an element is, the nearest first, each of a higher rank than the one before. What has
// a heading of its own, of the same rank or a higher one, is no part of the section before: the link in a heading, or a card
// of whatever tag whose heading comes last.
function sectionHeadings(box, el, counts = () => true) {
  const found = [];
  for (const heading of headingsBefore(box, el)) {
    if (!counts(heading)) continue;
    if (found.length && rankOf(heading) >= rankOf(found.at(-1))) continue;
    const beside = [el, ...ancestors(el)].filter((at) => !holds(at, heading)).pop();
    const own = beside.matches(HEADINGS) ? [beside] : all(beside, HEADINGS).filter(visible);
    if (own.every((one) => rankOf(one) > rankOf(heading))) found.push(heading);
  }
  return found;
}
const sectionHeading = (box, el) => sectionHeadings(box, el)[0];
const isPage = (at) => at === document.body || at === document.documentElement;
// All of them, whatever part of the page they stand in: the outermost one has those of the others.
const headingsAround = (el) => once("headings", el, () => {
  const outermost = [...ancestors(el)].filter((at) => !isPage(at)).pop();
  return outermost ? sectionHeadings(outermost, el) : [];
});
const formName = (form) => (labelled(form) ? nameOf(form) : "") || fold(all(form, "legend," + HEADINGS).find(visible)?.textContent);

// What is ticked is an answer to what its group asks.
const isTicked = (el) => /^(?:radio|checkbox|switch)$/.test(roleOf(el));
const isNamedGroup = (el) => ["group", "radiogroup"].includes(roleOf(el)) && !!nameOf(el);

// What is folded away is called by what unfolds it.
const summaryOf = (details) => cut(fold([...details.children].find((at) => tagOf(at) === "summary")?.textContent), 120);
// The named parts of the page around an element, nearest first, each with the node it stands for.
function scopesOf(el, role, name) {
  const found = [];
  const form = formOf(el);
  let cards = 0;
  let section = null;
  for (const [level, at] of [...ancestors(el)].entries()) {
    if (isPage(at)) break;
    const atRole = roleOf(at);
    if (tagOf(at) === "form") found.push([at, { kind: "form", role: "form", name: cut(formName(at), 120) }]);
    else if (atRole === "dialog" || atRole === "alertdialog") found.push([at, { kind: "dialog", role: atRole, name: nameOf(at) }]);
    else if (LANDMARKS.has(atRole)) found.push([at, { kind: "landmark", role: atRole, name: nameOf(at) }]);
    else if (isTicked(el) && isNamedGroup(at)) found.push([at, { kind: "group", role: atRole, name: nameOf(at) }]);
    else if (cards < 2 && isCard(at, el, role, name)) {
      cards++;
      found.push([at, { ...cardScope(at), levels: level + 1, gains: gainsUpTo(el, at) }]);
    }
    if (!section) {
      const heading = sectionHeading(at, el);
      if (heading) {
        section = at;
        found.push([at, { kind: "section", role: "heading", name: cut(nameOf(heading), 120) }]);
      }
    }
  }
  if (form && !found.some(([at]) => at === form)) found.push([form, { kind: "form", role: "form", name: cut(formName(form), 120) }]);
  return found;
}

function cssPath(el) {
  const parts = [];
  for (let at = el; at && at !== document.documentElement && parts.length < 8; at = at.parentElement) {
    const alike = at.parentElement ? [...at.parentElement.children].filter((other) => tagOf(other) === tagOf(at)) : [];
    parts.unshift(tagOf(at) + (alike.length > 1 ? `:nth-of-type(${alike.indexOf(at) + 1})` : ""));
    if (attr(at, "id") && !/\d/.test(attr(at, "id"))) {
      parts[0] = `#${CSS.escape(attr(at, "id"))}`;
      break;
    }
  }
  return parts.join(" > ");
}

const ACTIONABLE = "a[href],button,input,select,textarea,summary,option,[role=button],[role=link],[role=tab],[role=menuitem],[role=option],[role=checkbox],[role=radio],[role=switch],[contenteditable=''],[contenteditable=true]";
// A label reacts for its control. One without any is only a box around other things.
const reacts = (el) => el.matches(ACTIONABLE) || (tagOf(el) === "label" && !!el.control);
// A pointer action aims at what reacts to it, not at the word inside.
const actionableOf = (el) => (reacts(el) ? el : [...ancestors(el)].find(reacts) || el);

// The page where nothing is on it.
const isBare = (el) => (el === document.body && !el.matches(EDITOR)) || el === document.documentElement;
function unprovable(el) {
  if (isBare(el)) return "the page itself";
  if (tagOf(el) === "canvas") return "a drawing surface";
  return closed.has(el) && !el.matches(REACTING) ? "what is in a closed shadow root" : "";
}
// What may be chosen beside it, with what each is sent as: short numbers, of which one says nothing by itself.
const MOST_OFFERED = 16;
function numberedChoices(el) {
  if (!el.matches("select,input[type=radio],input[type=checkbox]")) return declaredAround(el);
  const alike = tagOf(el) !== "select" && el.name && formOf(el) ? [...(formOf(el).elements || [])].filter((at) => at.type === el.type && at.name === el.name) : [];
  const told = tagOf(el) === "select" ? [...el.options].map((at) => [fold(at.label), at.value]) : alike.map((at) => [nameOf(at) || captionOf(at), at.value]);
  const numbered = told.filter(([called, value]) => /\p{L}/u.test(called) && /^\d{1,3}$/.test(value));
  return numbered.length > 1 && numbered.length <= MOST_OFFERED ? numbered : [];
}
// One alone can be exchanged with none.
const offeredBy = (el) => (numberedChoices(el).length > 1 ? numberedChoices(el) : []);
// A query asks for the kind, too: a field that a script draws, and the one in it where one types, have one caption.
const isOfKind = (one, el) => tagOf(one) === tagOf(el) && roleOf(one) === roleOf(el) && typeOf(one) === typeOf(el);
const describe = remembering((el) => {
  const role = roleOf(el);
  const name = nameOf(el);
  const form = formOf(el);
  const shown = visible(el);
  const text = shownBy(el);
  const picture = pictureIn(el);
  const told = name ? (role ? "" : name) : text || picture;
  const likes = role || told ? apart(likeIn(document, el, role, name).filter(visible)) : [];
  const alikes = reachable(likes).includes(el) ? reachable(likes) : likes;
  const latest = isLatest(el, likes);
  const scopes = scopesOf(el, role, name).filter(([node, scope]) => !latest || !isHeadedBeside(el, node, scope));
  if (latest) scopes.push([el, { kind: "latest", role: "", name: "" }]);
  const count = (elements) => elements.filter((other) => visible(other) === shown).length;
  let depth = -1;
  let scoped = alikes.length;
  if (alikes.length > 1) {
    // A comment holds the answers to it: what each has of its own is none of the other's.
    const nearest = (node, other) => !node.matches(TYPICAL_CARDS) || [...ancestors(other)].find((at) => tagOf(at) === tagOf(node) && roleOf(at) === roleOf(node)) === node;
    const isIn = (node, { kind }, other) => holds(node, other) && (kind !== "card" || nearest(node, other)) && (kind !== "section" || headingsAround(other).includes(sectionHeading(node, el)));
    const alone = (speaks) => scopes.findIndex(([node, scope]) => speaks(scope) && alikes.filter((other) => isIn(node, scope, other)).length === 1);
    depth = alone((scope) => scope.name || scope.tells);
    // A page has one main part, often one navigation, and one dialog at a time: these need no name.
    if (depth < 0) depth = alone((scope) => ["landmark", "dialog"].includes(scope.kind) && withRole(document, scope.role).filter(visible).length === 1);
    if (depth < 0) depth = scopes.findIndex(([, { kind }]) => kind === "latest");
    if (depth >= 0) scoped = 1;
    const outer = outerSections(el, scopes).filter(([heading, scope]) => !latest || !isHeadedBeside(el, heading, scope));
    markSeparating(el, alikes, [...scopes, ...outer], depth);
    scopes.push(...outer.filter(([, scope]) => scope.separates));
  }
  markOnlyCard(el, scopes);
  markOuterCard(el, scopes);
  markNaming(el, scopes);
  const label = labelOf(el);
  const href = el.hasAttribute("href") ? shapeOf(attr(el, "href")) : "";
  // As a query asks: where two forms are sent to one place, a field of one is like that of the other.
  const ofShape = (found) => (form ? found.filter((other) => other === el || formShape(formOf(other)) === formShape(form)) : found);
  const nameAttr = attr(el, "name");
  const testId = testIdOf(el);
  const box = el.getBoundingClientRect();
  const caption = el.matches(FIELDS) || isDrawnField(el) ? captionOf(el) : "";
  const { lasting, changing } = partsOf(el);
  const parts = changing ? lasting : "";
  return {
    version: evidenceVersion, tag: tagOf(el), role, name, type: typeOf(el), test_id: testId, label, caption, parts,
    placeholder: attr(el, "placeholder"), text, picture, name_attr: nameAttr, id: attr(el, "id"), autocomplete: attr(el, "autocomplete"),
    value: sentAs(el), in_set: placeInSet(el), ...memberOf(el), href, form: formShape(form), press: pressOf(el), carries: carriedBy(el), hidden_words: hiddenWords(el), column: columnOf(el), fields: fieldsBeside(el), offers: offeredBy(el), shares: sharedBy(el), css: cssPath(el),
    scopes: scopes.map(([, scope]) => scope), scope_depth: depth,
    alike: {
      test_id: testId ? count(withTestId(document, testId)) : 0, role_name: told ? 0 : alikes.length, role_name_scoped: told ? 0 : scoped,
      leads: href && !told ? alikes.filter((other) => shapeOf(attr(other, "href")) === href).length : 0,
      label: label ? count(ofShape(withLabel(document, label))) : 0,
      name_attr: nameAttr ? count(ofShape(withValue(document, "name", nameAttr))) : 0,
      submit: form && SENDING.has(typeOf(el)) ? count(sendersOf(form).filter((at) => !at.hasAttribute("formaction"))) : 0, text: told ? alikes.length : 0,
      caption: caption ? count(ofShape(withCaption(document, caption)).filter((other) => isOfKind(other, el))) : 0, parts: parts ? count(withParts(document, role, parts)) : 0,
      plain: name && role ? count(withPlainName(document, role, plainOf(name))) : 0,
    },
    position: Math.max(0, alikes.indexOf(el)), frame: [],
    box: shown ? { x: box.x, y: box.y, width: box.width, height: box.height } : null,
    hidden: !shown, secret: isSecret(el),
    unprovable: unprovable(el),
  };
});

// Texts by which the page says that something went well.
const notesOf = () => [...new Set(all(document, "[role=status]").filter(visible).map((el) => cut(fold(el.innerText), 200)).filter(Boolean))].slice(0, 8);
const documentToken = Math.random().toString(36).slice(2);
// What stands in secret fields: it is known as a secret from then on, whoever put it there.
const heldSecrets = () => all(document, "input,textarea").filter((el) => el.value && isSecret(el)).map((el) => el.value);
const MAX_REQUESTS = 20;
// Where there are more than fit, writes and failures come before the rest, as which of many reads come first is chance.
function toldRequests() {
  if (activity.done.length <= MAX_REQUESTS) return activity.done;
  const tells = ([method, , status]) => !READING.has(method) || status >= 500 || status === 0;
  return [...activity.done.filter(tells), ...activity.done.filter((one) => !tells(one))].slice(0, MAX_REQUESTS);
}
// What the page has asked for and not got yet. Views ask one address with several queries: only what asks the very same
// once more may be a poll.
function stillRead([id, { method, url, caused }]) {
  return READING.has(method) && (caused || (id > activity.begun && !activity.done.some(([, known]) => known === url)));
}
function pageState() {
  const here = location.href.startsWith(siteOrigin + "/") ? location.href.slice(siteOrigin.length) : location.href;
  const refusals = refusalsOf();
  return {
    url: here, title: whole(document.title), status: statusOf(),
    requests: toldRequests().map(([method, url, status]) => [method, shapeOf(url), status]),
    alerts: alertsOf(refusals), refusals, dialogs: dialogsOf(), notes: [...notesOf(), ...errorsOf()], doc: documentToken,
    secrets: heldSecrets(), keyed: keyAddresses(), reads: [...activity.pending].filter(stillRead).map(([, { method, url }]) => `${method} ${shapeOf(url)}`),
  };
}
