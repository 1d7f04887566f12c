// What pressing an element would do, as far as the page says so: where it sends its form and by which method, under which
// name and value it is sent itself, and what overrides the method. Of a field: what Enter in it would do.

const SENDING = new Set(["submit", "image"]);
// The buttons that send a form, in the order of the page.
const sendersOf = (form) =>
  [...new Set([...(form.elements || []), ...all(form, "input[type=image]")])]
    .filter((el) => SENDING.has(el.type))
    .sort((one, other) => (precedes(one, other) ? -1 : 1));
// Enter in a field presses the first of them.
const entersInto = (el) => (tagOf(el) === "input" && !["button", "reset", "hidden"].includes(el.type) ? formOf(el) : null);
const pressedBy = (el) => (SENDING.has(typeOf(el)) ? el : entersInto(el) ? sendersOf(formOf(el))[0] : undefined);

const METHODS = new Set(["get", "post", "dialog"]);
function sentTo(el, form) {
  const said = (name) => (el && el.getAttribute(`form${name}`)) || form.getAttribute(name) || "";
  const method = said("method").toLowerCase();
  return `${METHODS.has(method) ? method : "get"} ${shapeOf(said("action") || location.pathname)}`;
}

// HTML knows two methods; servers read the others out of a hidden field. Any field counts that holds a verb of HTTP, and any
// that speaks of the method. A token against forgery is neither, so that no secret gets in.
const VERB = /^(?:get|head|post|put|patch|delete|options)$/i;
const SPEAKS_OF_METHOD = /^[_-]*(?:x[_-]?)?(?:http[_-]?)?method(?:[_-]?override)?$/i;
const WORD = /^[a-z_-]{1,20}$/i;
const overrides = (el) => el.type === "hidden" && !el.disabled && el.name && (VERB.test(el.value) || (SPEAKS_OF_METHOD.test(el.name) && WORD.test(el.value)));
// Scripts that are widely used send what an element says of itself.
const DECLARED = ["data-method", "data-turbo-method"];
const REQUESTING = ["get", "post", "put", "patch", "delete"].map((verb) => `hx-${verb}`);
function overrideOf(el, form) {
  const fields = form ? [...new Set([...(form.elements || []), ...all(form, "input[type=hidden]")])].filter(overrides) : [];
  const own = [
    ...DECLARED.filter((name) => el.hasAttribute(name)).map((name) => `${name}=${cut(attr(el, name).toLowerCase(), 20)}`),
    ...REQUESTING.filter((name) => el.hasAttribute(name)).map((name) => `${name}=${shapeOf(attr(el, name))}`),
  ];
  return [...fields.map((at) => `${at.name}=${at.value.toLowerCase()}`), ...own].sort().join("&");
}

// What a button is sent as, without what the site may have generated: a number may be the id of anything, but for 0. The words
// beside it stay, as they say what is done: `delete-42`.
const SUBMITTED = 100;
const RUNS = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[A-Za-z0-9_-]+/g;
const NUMBERED = /[A-Za-z0-9]*[0-9][A-Za-z0-9]*/g;
const isToken = (part) => part.length >= 16 && masked(part) === "{id}";
const withoutIds = (text) => text.replace(RUNS, (part) => (isToken(part) ? "{id}" : part.replace(NUMBERED, (run) => (run === "0" ? run : "{id}"))));
function submitterOf(el) {
  const name = attr(el, "name");
  if (!name) return "";
  return `${withoutIds(cut(name, SUBMITTED))}=${el.type === "image" ? "" : withoutIds(cut(attr(el, "value"), SUBMITTED))}`;
}

// The hidden fields that a button sends with its form, without what the site may have generated: of what is no plain word
// nothing but the name.
const CARRIED = 20;
const PLAIN = /^[a-z]{1,12}(?:[_-][a-z]{1,12})?$/i;
const GUARDING = /csrf|xsrf|token|nonce|secret|auth|key|sess|pass|pw/i;
function carriedBy(el) {
  const form = SENDING.has(typeOf(el)) ? formOf(el) : null;
  const hidden = form ? [...(form.elements || [])].filter((at) => at.type === "hidden" && at.name && !at.disabled) : [];
  if (hidden.length > CARRIED) return "";
  const told = ({ name, value }) => (GUARDING.test(name) || !PLAIN.test(value) || isToken(value) ? (/^\d+$/.test(value) ? "{id}" : "") : value);
  return hidden.map((at) => `${withoutIds(cut(whole(at.name), SUBMITTED))}=${told(at)}`).sort().join("&");
}
// Of the hidden fields that a press sends those that say a word, where another form of the page says another word under that
// name: `kind=billing|shipping`, its own word first. What one form alone holds may be what a script has put in for the user.
const wordsIn = (form) => [...((form && form.elements) || [])].filter((at) => at.type === "hidden" && at.name && !at.disabled && !GUARDING.test(at.name) && PLAIN.test(at.value) && !isToken(at.value)).map((at) => [withoutIds(cut(at.name, SUBMITTED)), at.value]);
function hiddenWords(el) {
  const own = pressedBy(el) || entersInto(el) ? formOf(el) : null;
  if (!own) return "";
  const elsewhere = all(document, "form").filter((form) => form !== own).flatMap(wordsIn);
  const others = (name, value) => [...new Set(elsewhere.filter(([other, word]) => other === name && word !== value).map(([, word]) => word))];
  const told = wordsIn(own).map(([name, value]) => [name, [value, ...others(name, value)]]).filter(([, words]) => words.length > 1);
  return told.length > CARRIED ? "" : told.map(([name, words]) => `${name}=${words.slice(0, CARRIED).join("|")}`).sort().join("&");
}
// [expected, found] of each that says by now what another form did.
function wordsOtherwise(el, was) {
  const now = new Map(wordsIn(formOf(el)));
  const told = was.split("&").map((one) => split(one, "=")).map(([name, words]) => [name, words.split("|")]);
  return told.filter(([name, [own, ...others]]) => now.get(name) !== own && others.includes(now.get(name))).map(([name, [own]]) => [`${name}=${own}`, `${name}=${now.get(name)}`]);
}
// The whole request of a button, by which it is known where its name has changed; empty where a part of it is.
function requestOf(el) {
  const { sends, submitter, override } = pressOf(el);
  const carried = carriedBy(el);
  return sends && submitter && carried ? [sends, submitter, override, carried].join("\n") : "";
}

function pressOf(el) {
  const sender = pressedBy(el);
  const form = sender ? formOf(sender) : entersInto(el);
  return {
    sends: form ? sentTo(sender, form) : "",
    submitter: sender && form ? submitterOf(sender) : "",
    override: overrideOf(el, form),
  };
}
// Of each part of what was recorded what differs: [kind, expected, found].
const PRESSED = { sends: "sends", submitter: "submitter", override: "override" };
function pressDiffers(must, el) {
  const kinds = Object.keys(PRESSED).filter((kind) => must[kind] !== undefined);
  const press = kinds.length ? pressOf(el) : {};
  const other = kinds.filter((kind) => must[kind] !== press[kind]).map((kind) => [PRESSED[kind], must[kind], press[kind]]);
  const words = must.hidden_words ? wordsOtherwise(el, must.hidden_words).map((pair) => ["hidden input", ...pair]) : [];
  return [...other, ...words, ...(must.carries === undefined ? [] : carriedAnew(el, must.carries)).map((one) => ["hidden input", "", one])];
}
// Hidden inputs that say a word, and that the form did not have when it was recorded.
function carriedAnew(el, carries) {
  const had = new Set(carries.split("&").map((one) => one.slice(0, one.lastIndexOf("="))));
  const now = carriedBy(el);
  return now ? now.split("&").filter((one) => !one.endsWith("=") && !one.endsWith("={id}") && !had.has(one.slice(0, one.lastIndexOf("=")))) : [];
}
// Whether an event may do that: any press of a button or a link, and Enter in a field.
const sendsBy = (el, event) => !entersInto(el) || SENDING.has(typeOf(el)) || event?.key === "Enter";
