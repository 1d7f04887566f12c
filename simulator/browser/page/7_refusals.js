// What a page refuses: in which words, and of which field. One reader, for agents and for replays. Not decided here: what
// kind of refusal the words are, and which of them are new (simulator/browser/views/refusals.py).

// Where pages say what is wrong: by ARIA, and as the usual frameworks have it. A name that other things have, too, counts in
// a form and beside it alone.
const SAYS_WRONG = [
  "[role=alert],[aria-live=assertive]",
  ".invalid-feedback,.invalid-tooltip,.has-error .help-block,.has-error .help-inline,.control-group.error .help-inline,.alert-danger,.alert-error", // Bootstrap
  ".errorlist,.errornote,.messagelist .error", // Django
  "#error_explanation,.flash-alert,.flash-error,.flash.alert,.flash.error", // Rails
  ".mw-message-box-error,.errorbox,.oo-ui-flaggedElement-error.oo-ui-messageWidget,.cdx-message--error", // MediaWiki
  "#login_error,.notice-error,.woocommerce-error,.wpcf7-not-valid-tip", // WordPress
  ".mat-error,.mat-mdc-form-field-error,.MuiFormHelperText-root.Mui-error,.MuiAlert-standardError,.MuiAlert-filledError,.MuiAlert-outlinedError,.v-input--error .v-messages__message,.mdc-text-field--invalid+.mdc-text-field-helper-line", // Material
  ".ant-form-item-explain-error,.ant-form-item-has-error .ant-form-item-explain,.ant-message-error,.ant-alert-error,.el-form-item__error", // Ant, Element
  ".validation-summary-errors,.field-validation-error,.help.is-danger,.ui.error.message,.ui.negative.message,.uk-alert-danger", // ASP.NET, Bulma, Semantic, UIkit
].join();
const SAYS_WRONG_AT_FORM =
  ".error,.errors,.error-message,.error-text,.errorMessage,.field-error,.form-error,.form-errors,.validation-error,.input-error,.parsley-errors-list";
// Colours that many things have: they say so of a field alone.
const SAYS_WRONG_OF_FIELD = ".text-danger,.text-error,.text-red-500,.text-red-600,.text-red-700,.text-rose-500,.text-rose-600";
// What marks a field as wrong, on it or around it.
const MARKED_WRONG =
  "[aria-invalid=true],.is-invalid,.has-error,.field_with_errors,.input-validation-error,.form-invalid,.woocommerce-invalid,.ant-form-item-has-error,.v-input--error,.mat-form-field-invalid,.mdc-text-field--invalid";
// What says so much in its own name, or in that of its picture, says that it went well, or is for information.
const WENT_WELL = /success|check-?circle|(?:^|[-_\s])(?:info|positive|updated|notice)(?:$|[-_\s])|(?:standard|filled|outlined|color)Info/i;
const WENT_WRONG = /error|danger|invalid|fail|warn|negative/i;
// What speaks of a form as a whole: a field that it stands beside is none of its own.
const OF_FORM = "[role=alert],[aria-live=assertive],.alert-danger,.alert-error,.errornote,.notice-error,.errorbox,.mw-message-box-error,.flash-error";
const REFUSALS = 12; // of one page; more of them say nothing new
const WORDS = 200; // characters of one

// What applications announce as they go on to another view is the title that it has by then: it may have another one since.
const titles = new Set();
observe(new MutationObserver(() => titles.size < REMEMBERED_TITLES && titles.add(fold(document.title))), { childList: true, subtree: true, characterData: true });
const REMEMBERED_TITLES = 200;

const looksOf = (el) => [attr(el, "class"), ...["status", "type", "variant", "severity", "color"].map((name) => attr(el, `data-${name}`)), attr(el, "severity")].join(" ");
function wentWell(el) {
  const outer = [el, ...[...ancestors(el)].slice(0, 2)];
  const told = outer.map(looksOf).find((looks) => WENT_WELL.test(looks) || WENT_WRONG.test(looks));
  if (told) return WENT_WELL.test(told) && !WENT_WRONG.test(told);
  const pictured = (at) => (at.matches("[role=img],img") ? ` ${attr(at, "aria-label")} ${attr(at, "alt")}` : "");
  const inner = [...el.querySelectorAll("[class],[data-status],[data-type],[role=img],img")].slice(0, 20).map((at) => looksOf(at) + pictured(at)).filter((looks) => WENT_WELL.test(looks) || WENT_WRONG.test(looks));
  return inner.length > 0 && inner.every((looks) => WENT_WELL.test(looks) && !WENT_WRONG.test(looks));
}
// What an element says, without the names of its buttons and of icons.
const UNSAID = "button,[role=button],[role=img],[aria-hidden=true],select,textarea,script,style,template,noscript";
const hasWords = (text) => /\p{L}{2}|[\u3040-\u9fff\uac00-\ud7ff]/u.test(text);
function toldIn(el) {
  const said = [];
  const walk = (node) => {
    if (node.nodeType === 3) said.push(node.data);
    else if (node.nodeType === 1 && !node.matches(UNSAID) && visible(node)) {
      const apart = !getComputedStyle(node).display.startsWith("inline");
      if (apart) said.push(" ");
      for (const child of node.shadowRoot ? node.shadowRoot.childNodes : tagOf(node) === "slot" && node.assignedNodes().length ? node.assignedNodes() : node.childNodes) walk(child);
      if (apart || tagOf(node) === "br") said.push(" ");
    }
  };
  walk(el);
  return fold(said.join(""));
}
const isAtForm = (el) => !closest(el, "table:not(form table),[role=row],pre,code") && (!!closest(el, "form") || [...ancestors(el)].slice(0, 3).some((at) => at.querySelector("form") && at !== document.body) || !!el.parentElement?.querySelector(":scope > form"));
function sayWrong() {
  const loud = all(document, SAYS_WRONG);
  const quiet = all(document, `${SAYS_WRONG_AT_FORM},${SAYS_WRONG_OF_FIELD}`).filter((el) => isAtForm(el) && !el.matches(`label:not([for].error),legend,a,button,${FIELDS}`) && !(el.parentElement && closest(el.parentElement, "label,legend,a,button")));
  const boxes = [...new Set([...loud, ...quiet])].filter((el) => visible(el) && !el.querySelector(FIELDS));
  return innermost(boxes).filter((el) => !wentWell(el) && !isWay(el) && !isReadAloud(el) && !tellsOfOptions(el) && !saysItsHeading(el));
}
// A part that is announced when it changes, and says nothing but where its links lead: a tree of pages that unfolds.
function isWay(el) {
  const links = el.matches("[role=alert]") ? [] : [...el.querySelectorAll("a[href]:not([href^='#'])")];
  return links.length > 0 && el.matches("[aria-live=assertive]") && toldIn(el) === fold(links.map(toldIn).join(" "));
}
// A log that nobody can see says to those who listen what has become of the page: how many options there are, what a field
// holds. Its lines go by and by. What is refused stands in sight as well.
const isReadAloud = (el) => el.matches("[role=log]") && !isOpenToSee(el);
// A status that stands with a field and the list of its options says how many there are, or how one finds them: as Awesomplete
// does, whose words come with each page. An alert is none, nor what the field itself calls its error.
function tellsOfOptions(el) {
  if (!el.matches("[role=status],[role=log]")) return false;
  const box = [...ancestors(el)].slice(0, 2).find((at) => at.matches("body,main,form,fieldset") || askedIn(at).length);
  const field = box && !box.matches("body,main") && askedIn(box).length === 1 ? askedIn(box)[0] : null;
  if (!field?.matches("[role=combobox],[aria-autocomplete]") || !(box.querySelector("[role=listbox]") || refsOf(field, "aria-owns").length || refsOf(field, "aria-controls").length)) return false;
  return field.getAttribute("aria-invalid") !== "true" || ![...refsOf(field, "aria-errormessage"), ...refsOf(field, "aria-describedby")].includes(el);
}
// A calendar may announce the month that it shows, as react-datepicker does, by an alert: it says no more than its heading,
// seen or not.
function saysItsHeading(el) {
  const dialog = closest(el, DIALOGS);
  const said = dialog && toldIn(el);
  return !!said && /\d/.test(said) && all(dialog, HEADINGS).some((heading) => !holds(el, heading) && fold(heading.textContent) === said);
}

// The fields of a part of the page that somebody can fill in; buttons of one set are one.
const isAsked = (el) => isOffered(el) && !["submit", "button", "image", "reset"].includes(el.type);
function askedIn(box) {
  const fields = all(box, FIELDS).filter(isAsked).filter((el, at, found) => !found.some((other) => other !== el && holds(other, el)));
  const sets = new Set();
  return fields.filter((el) => el.type !== "radio" || !el.name || (!sets.has(el.name) && sets.add(el.name)));
}
// The field that words are of: one that refers to them, that they are a label of, that stands alone with them, or beside them.
function fieldOfWords(el, beside) {
  const referring = [el, ...[...ancestors(el)].slice(0, 2)].map((at) => attr(at, "id")).filter(Boolean).flatMap((id) => all(document, `[aria-describedby~="${CSS.escape(id)}"],[aria-errormessage~="${CSS.escape(id)}"]`));
  if (referring.length) return referring[0];
  if (attr(el, "for")) return document.getElementById(attr(el, "for"));
  if (attr(el, "data-valmsg-for")) return withValue(document, "name", attr(el, "data-valmsg-for"))[0] || null;
  if (closest(el, ".nonfield")) return null;
  let last = el;
  for (const at of [...ancestors(el)].slice(0, 5)) {
    if (at.matches("form,fieldset,dialog,[role=dialog],body,main")) break;
    const fields = askedIn(at);
    if (fields.length === 1) return fields[0];
    if (fields.length) break;
    last = at;
  }
  if (!beside) return null;
  const alone = (at) => (at?.nodeType === 1 && tagOf(at) !== "form" && !at.querySelector("form") && askedIn(at.parentElement).filter((one) => holds(at, one)).length === 1 ? askedIn(at.parentElement).find((one) => holds(at, one)) : null);
  const sides = [last.previousElementSibling, last.nextElementSibling];
  return alone(sides[closest(el, ".errorlist") ? 1 : 0]) || null;
}
// Without what the words themselves add to it.
const bareLabel = (text, words) => fold(text.replace(words, "")).replace(/[\s:*]+$/, "");
function calledField(el, words) {
  const group = ["radio", "checkbox"].includes(el.type) ? closest(el, "fieldset,[role=radiogroup],[role=group]") : null;
  return cut(bareLabel((group && nameOf(group)) || labelOf(el) || captionOf(el) || attr(el, "placeholder") || attr(el, "name"), words), 120);
}
// The field whose label the words begin with, as "Title has already been taken" does.
function fieldCalled(words) {
  const lower = words.toLowerCase();
  const begins = (label) => label.length > 2 && lower.startsWith(label) && !/^[\p{L}\p{N}]/u.test(lower.slice(label.length));
  const found = all(document, "form").flatMap((form) => askedIn(form)).filter((el) => begins(bareLabel(labelOf(el) || captionOf(el), words).toLowerCase()));
  const longest = Math.max(...found.map((el) => labelOf(el).length));
  const best = found.filter((el) => labelOf(el).length === longest);
  return best.length === 1 ? best[0] : null;
}
// What a field that is marked says of itself: what it refers to, what stands with it alone, or what the browser says of it.
const describedBy = (el) => [...refsOf(el, "aria-errormessage"), ...refsOf(el, "aria-describedby")].filter(visible).map((at) => fold(at.innerText)).join(" ");
function saidBeside(el) {
  let box = null;
  for (const at of [...ancestors(el)].slice(0, 3)) {
    if (at.matches("form,fieldset,body,label") || askedIn(at).length > 1) break;
    box = at;
  }
  if (!box) return "";
  const [label, caption] = [labelOf(el), captionOf(el)];
  const texts = [...box.querySelectorAll("*")].filter((at) => !holds(at, el) && !at.matches(UNSAID) && !closest(at, "label,legend,a,button,select") && visible(at) && [...at.childNodes].some((node) => node.nodeType === 3 && hasWords(node.data)));
  const said = texts.filter((at) => ![label, caption].includes(fold(at.innerText)));
  const after = said.filter((at) => precedes(el, at));
  const loud = said.filter((at) => [at, at.parentElement].some((one) => WENT_WRONG.test(looksOf(one))));
  return fold((loud[0] || after[0])?.innerText);
}
function errorOf(el) {
  if (el.getAttribute("aria-invalid") !== "true") return "";
  return cut(describedBy(el) || (refusalsVersion > 1 && saidBeside(el)) || el.validationMessage || "invalid", WORDS);
}

// The fields for which the browser held back a form that somebody sent: by a button, or by Enter.
const heldBack = new Set();
let sendingForm = false;
const sends = () => {
  sendingForm = true;
  later(() => {
    sendingForm = false;
  }, 0);
};
listen(window, "click", (event) => event.composedPath().some((at) => at.nodeType === 1 && at.matches(`${BUTTONS},[onclick]`)) && sends(), { capture: true });
listen(window, "keydown", (event) => event.key === "Enter" && sends(), { capture: true });
listen(window, "keypress", (event) => event.key === "Enter" && sends(), { capture: true });
listen(window, "invalid", (event) => sendingForm && heldBack.add(event.composedPath()[0]), { capture: true });
listen(window, "submit", (event) => heldBack.forEach((el) => el.form === event.target && heldBack.delete(el)), { capture: true });
const isHeldBack = (el) => el.isConnected && el.willValidate && !el.validity.valid && !el.form?.noValidate;

// What answers to writing requests say is wrong, as APIs have it: words by the field's name.
function* complaints(value, name = "", depth = 0) {
  if (depth > 5 || value === null) return;
  if (typeof value === "string") {
    if (hasWords(value)) yield { name, words: fold(value) };
  } else if (Array.isArray(value)) {
    for (const one of value.slice(0, REFUSALS)) yield* complaints(one, name, depth + 1);
  } else if (typeof value === "object") {
    const words = ["message", "detail", "msg", "description", "error_description", "info", "reason", "title", "error"].map((key) => value[key]).find((one) => typeof one === "string" && hasWords(one));
    if (words) {
      const last = (path) => (Array.isArray(path) ? path.at(-1) : typeof path === "string" ? path.split(/[/.]/).at(-1) : "");
      const of = [value.field, value.attribute, value.param, value.property, last(value.loc), last(value.source?.pointer), value.extensions?.field].find((one) => typeof one === "string" && one);
      yield { name: of || name, words: fold(words) };
    } else {
      for (const [key, one] of Object.entries(value).slice(0, 40)) yield* complaints(one, /^(?:non_field_errors|base|__all__|detail|errors|\d+)$/.test(key) ? name : key, depth + 1);
    }
  }
}
const holdsAny = (part) => (typeof part === "string" ? hasWords(part) : !!part && typeof part === "object" && Object.keys(part).length > 0);
function refusedBy(status, answer) {
  if (!answer || typeof answer !== "object" || Array.isArray(answer)) return [];
  const failed = status >= 400;
  const parts = [answer.errors, answer.validation_errors, answer["invalid-params"], answer.violations].filter(holdsAny);
  if (!failed && !parts.length && !(answer.error && typeof answer.error === "object" && holdsAny(answer.error))) return [];
  const found = [...complaints(parts.length ? parts : answer.error || answer)];
  return (found.length || !failed ? found : [...complaints(answer)]).slice(0, REFUSALS).map((one) => ({ ...one, status }));
}
function fieldNamed(name) {
  const [called, snake] = [name.toLowerCase(), name.replace(/([a-z])([A-Z])/g, "$1_$2").toLowerCase()];
  const is = (own) => own && [called, snake].some((one) => own.toLowerCase() === one || own.toLowerCase().endsWith(`[${one}]`));
  return name ? all(document, FIELDS).filter(isAsked).find((el) => is(attr(el, "name")) || is(attr(el, "id"))) || null : null;
}

// All that the page refuses, what it shows first.
const refusalsOf = remembering(() => {
  const found = new Map();
  const fields = new Set();
  const add = (words, el, how, more = {}) => {
    if (!hasWords(words) || words === fold(document.title) || titles.has(words)) return;
    const field = el ? calledField(el, words) : more.name || "";
    if (el) fields.add(el);
    found.set(`${field}\n${words}`, { status: 0, missing: false, ...more, words: cut(words, WORDS), field, name: el ? attr(el, "name") || attr(el, "id") : more.name || "", how });
  };
  for (const box of sayWrong()) {
    const items = [...box.querySelectorAll("li")].filter(visible);
    for (const el of items.length ? items : [box]) {
      const words = toldIn(el);
      const field = fieldCalled(words) || fieldOfWords(el, box.matches(".errorlist") || (items.length < 2 && !box.matches(OF_FORM)));
      if (field || box.matches(`${SAYS_WRONG},${SAYS_WRONG_AT_FORM}`)) add(words, field, field ? "field" : "page");
    }
  }
  for (const el of all(document, MARKED_WRONG).filter(visible)) {
    const field = el.matches(FIELDS) ? el : askedIn(el).length === 1 ? askedIn(el)[0] : null;
    if (field && !fields.has(field)) add(describedBy(field) || saidBeside(field) || field.validationMessage || "invalid", field, "field");
  }
  for (const el of [...heldBack].filter((one) => isHeldBack(one) && !fields.has(one))) add(fold(el.validationMessage), el, "browser", { missing: el.validity.valueMissing });
  const shown = new Set([...found.values()].map((one) => one.words));
  for (const { words, name, status } of activity.refused.filter((one) => !shown.has(one.words))) add(words, fieldNamed(name), "answer", { name, status });
  return [...found.values()].slice(0, REFUSALS);
});

// Texts by which the page says that something is wrong, by the rules that the run was recorded under.
function alertsOf(refusals) {
  if (refusalsVersion > 1) return [...new Set(refusals.map((one) => one.words))];
  const found = all(document, "[role=alert],[aria-invalid=true],.errorlist,.invalid-feedback").filter(visible);
  const texts = found.map((el) => (el.getAttribute("aria-invalid") === "true" ? errorOf(el) : fold(el.innerText)));
  return [...new Set(texts.filter(Boolean).map((text) => cut(text, WORDS)))].slice(0, 8);
}
// What a page says in and above each of its forms that are sent, besides labels: more of it, once a form has come back, is
// what the site says of it.
const BESIDE_FORM = "p,li,div,span,strong,em,b,i,td,dd,small,font,center,h1,h2,h3,h4,h5,h6";
const formTexts = remembering(() =>
  all(document, "form").filter((form) => attr(form, "method").toLowerCase() === "post" && visible(form)).slice(0, 4).map((form) => {
    const parts = [form];
    for (let at = form, level = 0; at && level < 3 && at !== document.body; at = at.parentElement, level++) {
      for (let before = at.previousElementSibling; before && !before.querySelector("form") && tagOf(before) !== "form"; before = before.previousElementSibling) parts.push(before);
    }
    const found = parts.flatMap((part) => [part, ...part.querySelectorAll(BESIDE_FORM)]).filter((el) => el.matches(BESIDE_FORM) && [...el.childNodes].some((node) => node.nodeType === 3 && hasWords(node.data)));
    const said = found.filter((el) => !closest(el, "label,legend,button,select,nav,header") && visible(el) && !wentWell(el)).slice(0, 40);
    return [formShape(form), [...new Set(said.map((el) => cut(fold(el.innerText), WORDS)))]];
  }),
);
// With which words the main part of a page begins: where it is another one than was expected, they say what it is.
const NOT_OWN = `form,label,a,button,[role=button],table,${UNSAID}`;
const mainWords = remembering(() => {
  const mains = all(document, MAIN).filter(visible);
  const lines = all(mains.length === 1 ? mains[0] : document.body || document, `${BESIDE_FORM},dt,pre`).filter((el) => [...el.childNodes].some((node) => node.nodeType === 3 && hasWords(node.data)));
  const said = lines.filter((el) => !closest(el, `${NOT_OWN},${EDGES}`) && visible(el)).slice(0, 6);
  return cut(innermost(said).map((el) => cut(fold(el.innerText), WORDS)).join(" "), WORDS);
});
