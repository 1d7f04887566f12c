// What every change of a page needs: chance by seed, the parts of a page, and telling that something was changed.
// CHANGES stands before this: a list of {name, seed, ...}. RULES is filled by the other files.
const RULES = {};

const chance = (seed) => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
};

// The same page is changed in the same way each time: what is drawn for an element depends on nothing but its name.
const hash = (text) => [...text].reduce((sum, char) => (Math.imul(sum, 31) + char.codePointAt(0)) | 0, 7);
const drawn = (change, name) => chance(change.seed ^ hash(name))();

// A framework that keeps nodes in mind fails where they are put elsewhere: no real site would do that to itself.
const owned = (el) => Object.keys(el).some((key) => /^(__reactFiber|__vnode|__vue|_vei|__ngContext|__svelte|__k$)/.test(key));

const told = new Set();
const tell = (change) => {
  if (told.has(change.name)) return;
  told.add(change.name);
  // As pages count their visitors: a picture, which the proxy answers.
  new Image().src = `/.mutated/${change.name}`;
};

const seen = new Map();
// Whether a change has not yet been made to an element.
const fresh = (change, el) => {
  const known = seen.get(change) || seen.set(change, new WeakSet()).get(change);
  return !known.has(el) && Boolean(known.add(el));
};

const CONTROLS = "input:not([type=hidden]),select,textarea";
const controls = (form) => [...form.elements].filter((el) => el.matches(CONTROLS) && !/^(submit|button|image|reset)$/.test(el.type));
const sends = (el) => el.matches("button:not([type=button]):not([type=reset]),input[type=submit],input[type=image]");
const posts = (form) => (form.getAttribute("method") || "").toLowerCase() === "post";
const posting = (change) => [...document.forms].filter((form) => posts(form) && fresh(change, form));
const pathOf = (form) => new URL(form.getAttribute("action") || "", location.href).pathname;
// The forms that send what was recorded: with its fields where there are any, by its address where there are none.
const meant = (change) =>
  [...document.forms].filter(
    (form) =>
      posts(form) &&
      new RegExp(`^${change.path}$`).test(pathOf(form)) &&
      change.fields.every((name) => form.elements[name]) &&
      fresh(change, form),
  );

// The largest part of a form around a field that holds no other one: its row.
const row = (field) => {
  let found = field;
  const others = controls(field.form).filter((el) => el.name !== field.name);
  for (let el = field; el && el !== field.form; el = el.parentElement) {
    if (others.some((other) => el.contains(other)) || [...el.querySelectorAll("button,input[type=submit]")].some(sends)) break;
    found = el;
  }
  return found;
};

const STRICT = "TABLE,TBODY,THEAD,TR,UL,OL,DL,SELECT,COLGROUP,HEAD,HTML";
const wrappable = (el) => el.parentElement && !el.parentElement.matches(STRICT) && !el.matches("li,tr,td,th,option,dt,dd");

// Lists of alike things, each of which leads or does somewhere of its own.
const lists = () => {
  const found = [];
  for (const parent of document.querySelectorAll("ul,ol,tbody,main,section,div")) {
    const items = [...parent.children].filter((el) => el.querySelector("a[href],form,button"));
    const alike = items.filter((el) => el.tagName === items[0].tagName && el.className === items[0].className);
    if (alike.length < 2 || alike.length !== items.length || items.some(owned)) continue;
    if (items.some((el) => el.matches("form,nav,header,footer,main,section,label,fieldset"))) continue;
    found.push({ parent, items });
  }
  return found;
};

const begin = () => {
  const all = () => {
    for (const change of CHANGES) RULES[change.name](change);
  };
  all();
  let asked = false;
  new MutationObserver(() => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => {
      asked = false;
      all();
    });
  }).observe(document, { childList: true, subtree: true });
};
