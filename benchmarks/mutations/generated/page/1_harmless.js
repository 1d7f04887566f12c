// Changes after which a person would act the same.

RULES.wrap = (change) => {
  for (const el of document.querySelectorAll("input:not([type=hidden]),select,textarea,button,a[href]")) {
    if (owned(el) || !wrappable(el) || !fresh(change, el) || drawn(change, el.name || el.textContent) < 0.3) continue;
    const depth = 1 + Math.floor(drawn(change, "depth") * 3);
    for (let left = depth; left; left -= 1) {
      const around = document.createElement(el.closest("p,label,h1,h2,h3,span,button,a") === null ? "div" : "span");
      el.replaceWith(around);
      around.append(el);
    }
    tell(change);
  }
};

RULES.move = (change) => {
  for (const form of posting(change)) {
    const rows = controls(form).map(row).filter((el) => !owned(el));
    const target = rows[Math.floor(drawn(change, form.action) * rows.length)];
    const first = rows.find((el) => el.parentElement === target?.parentElement && el !== target);
    if (!target || !first) continue;
    first.before(target);
    tell(change);
  }
  const nav = document.querySelector("nav,header");
  if (nav && !owned(nav) && fresh(change, nav) && drawn(change, "nav") > 0.5) {
    document.body.append(nav);
    tell(change);
  }
};

RULES["rename-ids"] = (change) => {
  const scripts = [...document.scripts].filter((el) => !el.hasAttribute("data-generated"));
  const words = scripts.map((el) => el.textContent).join("\n");
  const renamed = (id) => `${id}-${change.seed.toString(36)}`;
  for (const el of document.querySelectorAll("*")) {
    if (owned(el) || !fresh(change, el)) continue;
    if (el.matches("input,select,textarea,button,a,label,form,li,article,section,main,div")) {
      el.classList.add(`c${Math.floor(drawn(change, el.className + el.tagName) * 1e6).toString(36)}`);
    }
    // A script that asks for an id finds it no more: a site that renames one renames it there, too.
    if (!el.id || scripts.some((script) => script.src) || words.includes(el.id)) continue;
    const old = el.id;
    for (const name of ["for", "aria-labelledby", "aria-describedby", "aria-controls", "form", "list"]) {
      for (const other of document.querySelectorAll(`[${name}~="${CSS.escape(old)}"]`)) {
        other.setAttribute(name, other.getAttribute(name).split(/\s+/).map((one) => (one === old ? renamed(old) : one)).join(" "));
      }
    }
    el.id = renamed(old);
    tell(change);
  }
  tell(change);
};

// The proxy gives the site the names that it knows: see `names`, which has new ones by old ones.
const renaming = (change) => {
  for (const form of meant(change)) {
    const own = [...form.elements].filter((el) => change.names[el.name] && el.type !== "hidden" && !owned(el));
    const all = Object.keys(change.names).every((name) => own.some((el) => el.name === name));
    if (change.name === "exchange-names" && !all) continue;
    const names = own.map((el) => change.names[el.name]);
    own.forEach((el, place) => (el.name = names[place]));
    if (own.length) tell(change);
  }
};
RULES["rename-names"] = (change) => renaming(change);
RULES["exchange-names"] = (change) => renaming(change);

RULES.resort = (change) => {
  for (const { parent, items } of lists()) {
    if (!fresh(change, parent)) continue;
    const order = drawn(change, "order") < 0.5 ? [...items].reverse() : [...items.slice(1), items[0]];
    const place = document.createComment("");
    items[0].before(place);
    for (const item of order) place.before(item);
    place.remove();
    tell(change);
  }
};

RULES["twin-hidden"] = (change) => {
  for (const form of posting(change)) {
    if (owned(form)) continue;
    const copy = form.cloneNode(true);
    fresh(change, copy);
    for (const el of copy.querySelectorAll("[id]")) el.id += "-narrow";
    for (const el of copy.querySelectorAll("[for]")) el.htmlFor += "-narrow";
    copy.removeAttribute("id");
    copy.style.display = "none";
    form.before(copy);
    tell(change);
  }
};

RULES["twin-link"] = (change) => {
  for (const link of document.querySelectorAll("main a[href],li a[href],body > a[href]")) {
    if (owned(link) || !fresh(change, link) || drawn(change, link.textContent) < 0.5) continue;
    const copy = link.cloneNode(true);
    copy.removeAttribute("id");
    fresh(change, copy);
    link.after(" ", copy);
    tell(change);
  }
};

const WORDS = {
  save: "sichern", name: "Bezeichnung", title: "Überschrift", username: "Benutzer", password: "Kennwort", email: "Postadresse",
  login: "anmelden", log: "melden", in: "an", out: "ab", register: "eintragen", create: "anlegen", account: "Konto", add: "neu",
  delete: "löschen", change: "ändern", note: "Notiz", text: "Wortlaut", search: "suchen", order: "bestellen", send: "abschicken",
  message: "Nachricht", price: "Preis", description: "Beschreibung", sign: "tragen", up: "ein", query: "Abfrage", user: "Person",
};
const reworded = (text, change) =>
  text.replace(/\p{L}+/gu, (word) => {
    if (drawn(change, word.toLowerCase()) < change.keeps) return word;
    const known = change.language === "words" && WORDS[word.toLowerCase()];
    return known || `${word.replace(/[aeiou]/g, (vowel) => "äëïöü"["aeiou".indexOf(vowel)])}`;
  });
RULES.reword = (change) => {
  for (const el of document.querySelectorAll("label,button,legend,input[type=submit]:not([name])")) {
    if (!fresh(change, el)) continue;
    if (el.matches("input")) el.value = reworded(el.value, change);
    const texts = document.createTreeWalker(el, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (!texts.currentNode.parentElement.closest("select,textarea,option")) texts.currentNode.data = reworded(texts.currentNode.data, change);
    }
    tell(change);
  }
  for (const el of document.querySelectorAll("[aria-label],[placeholder]")) {
    if (!fresh(change, el)) continue;
    for (const name of ["aria-label", "placeholder"]) {
      if (el.hasAttribute(name)) el.setAttribute(name, reworded(el.getAttribute(name), change));
    }
  }
};

RULES.paginate = (change) => {
  for (const { parent, items } of lists()) {
    if (items.length < 2 || !fresh(change, parent)) continue;
    const size = 1 + Math.floor(drawn(change, "size") * Math.min(3, items.length - 1));
    let from = 0;
    const next = document.createElement("button");
    next.type = "button";
    next.textContent = "Next";
    const show = () => {
      for (const item of items) item.remove();
      parent.prepend(...items.slice(from, from + size));
      next.hidden = from + size >= items.length;
    };
    next.onclick = () => {
      from += size;
      show();
    };
    show();
    (parent.matches("ul,ol,tbody") ? parent.closest("table") || parent : parent.lastElementChild).after(next);
    tell(change);
  }
};

RULES.delay = (change) => {
  if (!fresh(change, document.body)) return;
  const late = document.createElement("style");
  late.textContent = `${change.what} { display: none !important }`;
  document.head.append(late);
  setTimeout(() => late.remove(), change.ms);
  tell(change);
};

RULES.retype = (change) => {
  for (const el of document.querySelectorAll("input[type=number]")) {
    if (owned(el) || !fresh(change, el)) continue;
    el.type = "text";
    el.inputMode = "decimal";
    tell(change);
  }
};

RULES.banner = (change) => {
  if (!fresh(change, document.body)) return;
  const banner = document.createElement("div");
  banner.setAttribute("role", "region");
  banner.setAttribute("aria-label", "News");
  banner.innerHTML = "<p>The site has a new look. <a href='#news'>Read more</a> <button type=button>Got it</button></p>";
  banner.querySelector("button").onclick = () => banner.remove();
  document.body.prepend(banner);
  tell(change);
};

RULES.cover = (change) => {
  if (localStorage.getItem("generated-cover") || !fresh(change, document.body)) return;
  const cover = document.createElement("div");
  if (change.dialog) cover.setAttribute("role", "dialog");
  cover.setAttribute("aria-label", "Cookies");
  Object.assign(cover.style, { position: "fixed", inset: "0", zIndex: "9999", background: "#000c", color: "#fff", padding: "20vh 20vw" });
  cover.append("We use cookies. ");
  for (const answer of ["Accept all", "Only necessary"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = answer;
    button.onclick = () => {
      localStorage.setItem("generated-cover", answer);
      cover.remove();
    };
    cover.append(button);
  }
  document.body.append(cover);
  tell(change);
};

// A list has become a table: a row for each of its things, a cell for each part of one.
RULES.tabulate = (change) => {
  for (const { parent, items } of lists()) {
    if (!parent.matches("ul,ol") || [...parent.children].length !== items.length || !fresh(change, parent)) continue;
    const table = document.createElement("table");
    for (const item of items) {
      const row = table.appendChild(document.createElement("tr"));
      for (const { name, value } of item.attributes) row.setAttribute(name, value);
      for (const node of [...item.childNodes]) {
        if (node.nodeType === Node.ELEMENT_NODE || node.data?.trim()) row.appendChild(document.createElement("td")).append(node);
      }
    }
    parent.replaceWith(table);
    tell(change);
  }
};

// Something of the same make stands between the things of a list.
RULES.insert = (change) => {
  for (const { parent, items } of lists()) {
    if (!fresh(change, parent)) continue;
    items.slice(1).forEach((item, at) => {
      if (drawn(change, `place ${at}`) < 0.4) return;
      const other = document.createElement(item.tagName);
      other.className = item.className;
      const box = item.matches("tr") ? other.appendChild(document.createElement("td")) : other;
      box.innerHTML = "<h3>From our sponsors</h3><p>Lamps, desks and paper.</p><a href='#sponsors'>Look</a>";
      item.before(other);
      tell(change);
    });
  }
};

// The columns of a table stand in another order: the first one is the last.
RULES.columns = (change) => {
  for (const table of document.querySelectorAll("table")) {
    const rows = [...table.rows];
    const isHead = rows.length > 1 && rows[0].cells.length > 1 && [...rows[0].cells].every((cell) => cell.matches("th"));
    const isPlain = rows.every((row) => row.cells.length === rows[0].cells.length && [...row.cells].every((cell) => cell.colSpan === 1 && cell.rowSpan === 1));
    if (!isHead || !isPlain || owned(table) || rows.some(owned) || !fresh(change, table)) continue;
    for (const row of rows) row.append(row.cells[0]);
    tell(change);
  }
};
