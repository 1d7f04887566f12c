// The script of an application: draws every view from what it asks for, in the ways that are drawn for it.
const main = document.querySelector("main");
const json = { "content-type": "application/json" };
const NAMES = ["title", "text", "kind", "amount", "due", "open"];
const LABELS = { title: "Title", text: "Text", kind: "Kind", amount: "Amount", due: "Due day", open: "Open" };
const KINDS = { "": "Choose", r: "Repair", w: "Wish", q: "Question" };
let things = WAYS.store === "list" ? JSON.parse(localStorage.things || "[]") : [];
let view = { name: "things", id: "" };
let most = 3;
let wanted = "";
let opened = "";
let edited = "";
let added = null;
let leaving = new Map();
const marked = new Set();

function h(tag, given = {}, ...kids) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value != null) made.setAttribute(name, value);
  }
  made.append(...kids.flat().filter((kid) => kid != null && kid !== false));
  return made;
}
const button = (words, click, given = {}) => h("button", { type: "button", click, ...given }, words);

// What is asked of the site.
let calls = 0;
async function said(answer) {
  const told = await answer.json();
  if (!answer.ok || told.error) throw new Error(told.error?.message || "not saved");
  return told;
}
async function write(act, id, fields, more = {}) {
  if (WAYS.sent === "rpc") {
    const params = act === "make" ? fields : { id, ...fields };
    const body = JSON.stringify({ jsonrpc: "2.0", id: ++calls, method: `things.${act}`, params });
    return (await said(await fetch("/rpc", { method: "POST", headers: json, body, ...more }))).result;
  }
  if (WAYS.sent === "graphql") {
    const query = `mutation ${act}Thing { ${act}Thing }`;
    const body = JSON.stringify({ operationName: `${act}Thing`, query, variables: { id, input: fields } });
    return (await said(await fetch("/graphql", { method: "POST", headers: json, body, ...more }))).data[`${act}Thing`];
  }
  const at = `/api/things${act === "make" ? "" : `/${encodeURIComponent(id)}`}`;
  if (WAYS.sent === "form") {
    const to = ["make", "change"].includes(act) ? at : `${at}/${act}`;
    return said(await fetch(to, { method: "POST", body: new URLSearchParams(fields), ...more }));
  }
  const methods = { remove: "DELETE", change: { put: "PUT", patch: "PATCH", json: "POST" }[WAYS.sent] };
  const to = ["pin", "note", "move"].includes(act) ? `${at}/${act}` : at;
  return said(await fetch(to, { method: methods[act] || "POST", headers: json, body: JSON.stringify(fields), ...more }));
}
async function load() {
  const asked = { graphql: "/graphql", rpc: "/rpc" }[WAYS.sent];
  if (asked) {
    const body = { query: "query things { things }", operationName: "things", method: "things.list", jsonrpc: "2.0", id: ++calls };
    const told = await said(await fetch(asked, { method: "POST", headers: json, body: JSON.stringify(body) }));
    things = told.data?.things || told.result;
  } else things = await said(await fetch("/api/things"));
  things = things.filter((one) => !leaving.has(one.id));
  if (WAYS.store === "list") localStorage.things = JSON.stringify(things);
}
async function act(name, id, fields, then = () => {}) {
  const now = things.find((one) => one.id === id);
  const high = Math.max(0, ...things.map((one) => Math.max(one.touched, one.number))) + 1;
  const mine = { pin: (one) => ({ pinned: !one.pinned, likes: one.pinned ? 0 : 1 }), change: () => ({ ...fields, open: !!(fields.open ?? now.open) }), note: (one) => ({ notes: [...one.notes, fields.note] }) };
  const quick = WAYS.updates === "optimistic" && name !== "make" && name !== "move";
  if (quick && name === "remove") things = things.filter((one) => !id.split(",").includes(one.id));
  else if (quick) things = things.map((one) => (one.id === id ? { ...one, ...mine[name](one), touched: high } : one));
  if (quick) then(id);
  try {
    const told = await write(name, id, fields);
    if (WAYS.updates === "fetch" || name === "move") await load();
    else if (name === "remove") things = things.filter((one) => !id.split(",").includes(one.id));
    else if (WAYS.updates === "answer" || name === "make") things = [...things.filter((one) => one.id !== told.id), told];
    if (!quick) then(told.id ?? id);
    if (name === "make" || name === "change") toast(WAYS.toast === "values" ? `“${told.title ?? "It"}” was saved` : "It was saved");
  } catch (error) {
    await load();
    draw();
    toast(String(error.message), "alert");
  }
}
function toast(words, role = "status", more = []) {
  if (WAYS.toast === "no" && role === "status" && !more.length) return;
  const shown = h("div", { role, class: "toast" }, words, " ", ...more);
  document.body.append(shown);
  setTimeout(() => shown.remove(), 1500);
  return shown;
}

// Addresses and views.
const addressOf = ({ name, id }) => (id ? `/${name}/${encodeURIComponent(id)}` : `/${name}`);
function viewOf(at) {
  const [, name = "", id = ""] = at.split("/");
  return { name: name || "things", id: decodeURIComponent(id) };
}
const linked = (to, words, given = {}) =>
  h("a", { href: { path: addressOf(to), hash: `#${addressOf(to)}`, none: "#" }[WAYS.route], click: (event) => (event.preventDefault(), go(to)), ...given }, words);
function go(to) {
  view = to;
  marked.clear();
  if (WAYS.route === "path") history.pushState(null, "", addressOf(to));
  if (WAYS.route === "hash") history.pushState(null, "", `#${addressOf(to)}`);
  return come();
}
async function come() {
  if (!things.length) main.replaceChildren(h("p", {}, "Loading"));
  else draw();
  await load();
  draw();
}
addEventListener("popstate", () => {
  view = viewOf(WAYS.route === "hash" ? location.hash.slice(1) : location.pathname);
  come();
});

// Values as they are written.
function written(name, value) {
  if (name === "kind") return value ? KINDS[value] : "";
  if (name === "open") return value ? "Yes" : "No";
  if (name === "amount" && value !== "") {
    if (WAYS.money === "plain") return String(Number(value));
    const ways = { style: "currency", currency: "EUR" };
    return new Intl.NumberFormat(WAYS.money === "euro" ? "de-DE" : "en-GB", ways).format(Number(value));
  }
  if (name === "due" && value && WAYS.days !== "iso") {
    const long = WAYS.days === "words" ? "long" : "2-digit";
    return new Date(`${value}T12:00`).toLocaleDateString("en-GB", { day: long === "long" ? "numeric" : "2-digit", month: long, year: "numeric" });
  }
  return String(value);
}

// Forms.
function control(name, thing) {
  const [value, words] = [thing[name] ?? "", LABELS[name]];
  const own = WAYS.fields === "custom";
  if (name === "text" && own) {
    const box = h("div", { contenteditable: "true", role: "textbox", "aria-multiline": "true", "aria-label": words, style: "min-height:1.5em;border:1px solid" });
    box.textContent = value;
    return { element: h("p", {}, box), read: () => box.innerText.trim() };
  }
  if (name === "kind" && own) {
    let chosen = value;
    const list = h("ul", { role: "listbox", "aria-label": words, hidden: true });
    const opens = button(KINDS[chosen], () => (list.hidden = !list.hidden), { "aria-haspopup": "listbox", "aria-label": `${words}: ${KINDS[chosen]}` });
    for (const [key, called] of Object.entries(KINDS).slice(1)) {
      const choose = () => {
        chosen = key;
        opens.textContent = called;
        opens.setAttribute("aria-label", `${words}: ${called}`);
        list.hidden = true;
        opens.dispatchEvent(new Event("change", { bubbles: true }));
      };
      list.append(h("li", { role: "option", click: choose }, called));
    }
    return { element: h("div", {}, opens, list), read: () => chosen };
  }
  if (name === "open" && own) {
    const flip = (event) => {
      const on = event.target.getAttribute("aria-checked") === "true";
      event.target.setAttribute("aria-checked", String(!on));
      event.target.dispatchEvent(new Event("change", { bubbles: true }));
    };
    const turns = button(words, flip, { role: "switch", "aria-checked": String(!!value) });
    return { element: h("p", {}, turns), read: () => turns.getAttribute("aria-checked") === "true" };
  }
  const types = { amount: { type: "number", step: "any" }, due: { type: "date" }, open: { type: "checkbox" } };
  const options = () => Object.entries(KINDS).map(([key, called]) => h("option", { value: key, selected: key === value }, called));
  const input = name === "text" ? h("textarea", { name }, value) : name === "kind" ? h("select", { name }, ...options()) : h("input", { name, value: name === "open" ? null : value, ...types[name] });
  if (name === "open") input.checked = !!value;
  const read = () => (name === "open" ? input.checked : input.value);
  if (WAYS.labels === "placeholder" && ["title", "text"].includes(name)) input.placeholder = words;
  else if (WAYS.labels !== "wrap") input.setAttribute("aria-label", words);
  else return { element: h("label", {}, words, " ", input), read };
  return { element: h("p", {}, name === "open" ? "Open" : "", input), read };
}
const wire = (fields) => {
  if (WAYS.sent !== "form") return fields;
  const { open, ...rest } = fields;
  return open ? { ...rest, open: "on" } : rest;
};
function tabbed(parts) {
  const panels = parts.map(([, ...kids], place) => h("div", { role: "tabpanel", hidden: place > 0 }, ...kids));
  const tabs = parts.map(([words], place) =>
    button(words, () => panels.forEach((panel, at) => {
      panel.hidden = at !== place;
      tabs[at].setAttribute("aria-selected", String(at === place));
    }), { role: "tab", "aria-selected": String(!place) }));
  return [h("div", { role: "tablist" }, ...tabs), ...panels];
}
function formOf(thing, done, cancel) {
  const parts = Object.fromEntries(NAMES.map((name) => [name, control(name, thing)]));
  const elements = NAMES.map((name) => parts[name].element);
  const read = () => wire(Object.fromEntries(NAMES.map((name) => [name, parts[name].read()])));
  const blur = thing.id && WAYS.edits === "blur";
  const inside = WAYS.tabs === "tabs" ? tabbed([["General", ...elements.slice(0, 2)], ["Details", ...elements.slice(2)]]) : elements;
  const ends = blur ? [] : [h("button", {}, "Save"), cancel && button("Cancel", cancel)];
  const before = read();
  const submit = (event) => {
    event.preventDefault();
    const now = read();
    const changed = WAYS.sent === "patch" && thing.id ? Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== before[name])) : now;
    done(changed);
  };
  const form = h("form", { submit }, ...inside, ...ends);
  if (blur) form.addEventListener("focusout", () => JSON.stringify(read()) !== JSON.stringify(before) && (done(read()), Object.assign(before, read())));
  if (WAYS.fields !== "shadow") return form;
  const host = h("thing-form");
  host.attachShadow({ mode: "open" }).append(form);
  return host;
}
function dialog(called, ...kids) {
  const over = h(WAYS.dialog === "native" ? "dialog" : "div", { role: WAYS.dialog === "native" ? null : "dialog", "aria-modal": "true", "aria-label": called });
  over.append(h("h2", {}, called), ...kids.map((kid) => (typeof kid === "function" ? kid(() => over.remove()) : kid)));
  document.body.append(over);
  if (WAYS.dialog === "native") over.showModal();
  else over.style = "position:fixed;inset:4em;background:#fff;border:1px solid";
}
const making = (then) => formOf({}, (fields) => act("make", "", fields, then), WAYS.makes === "page" ? () => go({ name: "things" }) : null);
const changing = (one, then, cancel) => formOf(one, (fields) => act("change", one.id, fields, then), cancel);

// What may be done to a thing.
function pins(one) {
  const [way, on] = [WAYS.pins, one.pinned];
  const given = { class: `pin${way === "class" ? (on ? " pinned" : " loose") : ""}`, "aria-pressed": way === "pressed" ? String(on) : null };
  return button({ words: on ? "Unpin" : "Pin", count: `Like ${one.likes + 3}` }[way] || "Pin", () => act("pin", one.id, {}, draw), given);
}
const away = () => (view.name === "thing" ? go({ name: "things" }) : draw());
function later(one) {
  things = things.filter((each) => each.id !== one.id);
  const send = (more) => {
    clearTimeout(leaving.get(one.id));
    leaving.delete(one.id);
    return write("remove", one.id, {}, more);
  };
  leaving.set(one.id, setTimeout(send, 900));
  addEventListener("pagehide", () => leaving.has(one.id) && send({ keepalive: true }));
  const undo = async () => {
    clearTimeout(leaving.get(one.id));
    leaving.delete(one.id);
    await load();
    draw();
  };
  toast("Removed.", "status", [button("Undo", undo)]);
  away();
}
function removal(one) {
  const remove = () => act("remove", one.id, {}, away);
  const ways = {
    asks: () => button("Remove", () => confirm("Remove it?") && remove(), { class: "remove" }),
    modal: () => button("Remove", () => dialog(`Remove “${one.title}”?`, (close) => button("Cancel", close), (close) => button("Yes, remove", () => (close(), remove()))), { class: "remove" }),
    undo: () => button("Remove", () => later(one), { class: "remove" }),
    twice: () => button("Remove", (event) => (event.target.textContent === "Sure?" ? remove() : (event.target.textContent = "Sure?")), { class: "remove" }),
    many: () => null,
    menu: () => {
      const menu = h("ul", { role: "menu", hidden: true }, h("li", { role: "none" }, button("Remove", remove, { role: "menuitem", class: "remove" })));
      return h("span", {}, button("⋮", () => (menu.hidden = !menu.hidden), { "aria-label": "More actions", "aria-haspopup": "menu", class: "more" }), menu);
    },
  };
  return ways[WAYS.removes]();
}
function beside(one) {
  if (one.removed) return [h("i", {}, "Removed")];
  const edit = () => {
    if (WAYS.edits === "modal") return dialog("Change a thing", (close) => changing(one, () => (close(), draw()), close));
    if (WAYS.edits !== "row") return go({ name: "edit", id: one.id });
    edited = one.id;
    draw();
  };
  const move = (by) => act("move", one.id, { by }, draw);
  const moves = WAYS.moves === "moves" ? [button("↑", () => move(-1), { "aria-label": "Move up", class: "up" }), button("↓", () => move(1), { "aria-label": "Move down", class: "down" })] : [];
  return [pins(one), " ", ...moves, " ", button("Edit", edit, { class: "edit" }), " ", removal(one)];
}

// Views.
function facts(one) {
  if (WAYS.page === "dl") return h("dl", {}, ...SHOWS.map((name) => [h("dt", {}, LABELS[name]), h("dd", {}, written(name, one[name]))]));
  return h("div", {}, ...SHOWS.map((name) => h("p", {}, `${LABELS[name]}: ${written(name, one[name])}`)));
}
function notes(one) {
  if (WAYS.notes === "no" || one.removed) return [];
  const called = WAYS.notes === "same" ? "Text" : "Note";
  const field = h("textarea", { name: "note" });
  const submit = (event) => {
    event.preventDefault();
    act("note", one.id, { note: field.value }, draw);
  };
  return [h("ul", {}, ...one.notes.map((each) => h("li", {}, each))), h("form", { submit }, h("label", {}, called, " ", field), h("button", { class: "adds" }, WAYS.notes === "same" ? "Save" : "Add note"))];
}
const inside = (one) => (WAYS.tabs === "tabs" ? tabbed([["Facts", facts(one)], ["Notes", ...notes(one)]]) : [facts(one), ...notes(one)]);
function drawn(one) {
  const tag = { table: "tr", cards: "div", rows: "li" }[WAYS.list];
  const cell = (...kids) => h(WAYS.list === "table" ? "td" : "span", {}, ...kids, " ");
  if (edited === one.id) {
    const ends = () => {
      edited = "";
      draw();
    };
    return h(tag, {}, h(WAYS.list === "table" ? "td" : "div", { colspan: LISTS.length + 2 }, changing(one, ends, ends)));
  }
  const box = h("input", { type: "checkbox", "aria-label": `Choose ${one.title}`, change: (event) => marked[event.target.checked ? "add" : "delete"](one.id) });
  box.checked = marked.has(one.id);
  const flip = () => {
    opened = opened === one.id ? "" : one.id;
    draw();
  };
  const called = { page: () => linked({ name: "thing", id: one.id }, one.title), list: () => h("b", {}, one.title), accordion: () => button(one.title, flip, { "aria-expanded": String(opened === one.id), class: "opens" }) }[WAYS.view]();
  const more = WAYS.view === "accordion" && opened === one.id ? [h("div", { class: "opened" }, ...inside(one))] : [];
  const head = WAYS.list === "cards" ? h("h2", {}, called) : called;
  return h(tag, WAYS.list === "cards" ? { class: "card" } : {}, cell(WAYS.removes === "many" && !one.removed ? box : null, head, ...more), ...LISTS.map((name) => cell(written(name, one[name]))), cell(...beside(one)));
}
function sorted() {
  const orders = {
    new: (one, other) => other.number - one.number,
    old: (one, other) => one.number - other.number,
    title: (one, other) => (one.title < other.title ? -1 : one.title > other.title ? 1 : one.number - other.number),
    touched: (one, other) => other.touched - one.touched,
    pinned: (one, other) => other.pinned - one.pinned || one.number - other.number,
  };
  return [...things].sort(orders[WAYS.order]).sort((one, other) => one.place - other.place);
}
function listed() {
  const found = sorted().filter((one) => one.title.toLowerCase().includes(wanted.toLowerCase()));
  const some = WAYS.pages === "more" ? found.slice(0, most) : found;
  const rows = some.map(drawn);
  const adding = WAYS.makes === "row" && edited === "new" ? [h({ table: "tr", cards: "div", rows: "li" }[WAYS.list], { class: "adding" }, h(WAYS.list === "table" ? "td" : "div", { colspan: 9 }, making(() => ((edited = ""), draw()))))] : [];
  const list = { table: () => h("table", {}, h("thead", {}, ...adding, h("tr", {}, ...["title", ...LISTS].map((name) => h("th", {}, LABELS[name])), h("th"))), h("tbody", {}, ...rows)), cards: () => h("div", {}, ...adding, h("section", {}, ...rows)), rows: () => h("div", {}, ...adding, h("ul", { class: "things" }, ...rows)) }[WAYS.list]();
  const further = WAYS.pages === "more" && found.length > most ? [button("Load more", () => ((most += 3), draw()))] : [];
  const chosen = () => act("remove", [...marked].join(","), {}, () => (marked.clear(), draw()));
  return [list, ...further, ...(WAYS.removes === "many" ? [button("Remove chosen", chosen)] : [])];
}
function draw() {
  const one = things.find((each) => each.id === view.id);
  const nothing = () => [h("h1", {}, "There is nothing here")];
  const views = {
    about: () => [h("h1", {}, "Welcome"), h("p", {}, "This is a place for things.")],
    new: () => [h("h1", {}, "New thing"), making((id) => go(WAYS.view === "page" ? { name: "thing", id } : { name: "things" }))],
    edit: () => (one ? [h("h1", {}, "Change a thing"), changing(one, () => WAYS.edits !== "blur" && go({ name: "things" }))] : nothing()),
    thing: () => (one ? [h("h1", {}, one.title), ...(one.removed ? [h("i", {}, "Removed")] : []), ...inside(one), ...(one.removed ? [] : beside(one))] : nothing()),
    things: () => {
      const add = { modal: () => dialog("New thing", (close) => making(() => (close(), draw()))), row: () => ((edited = "new"), draw()), page: () => go({ name: "new" }) }[WAYS.makes];
      const found = h("div", {}, ...listed());
      const type = (event) => {
        wanted = event.target.value;
        found.replaceChildren(...listed());
      };
      const filter = WAYS.pages === "filter" ? [h("label", {}, "Filter ", h("input", { type: "search", value: wanted, input: type }))] : [];
      return [h("h1", {}, "Things"), WAYS.makes === "beside" ? (added ??= making(() => ((added = null), draw()))) : button("New thing", add), ...filter, found];
    },
  };
  // A form stays as it is while one is in it.
  const place = addressOf(view);
  if (["edit", "new"].includes(view.name) && main.querySelector("form, thing-form") && main.dataset.view === place) return;
  main.dataset.view = place;
  main.replaceChildren(...(views[view.name] || views.things)());
}
document.querySelector("nav").append(linked({ name: "things" }, "Things"), " ", linked({ name: "about" }, "About"));
view = viewOf(WAYS.route === "hash" ? location.hash.slice(1) : location.pathname);
come();
if (WAYS.polls === "polls")
  setInterval(async () => {
    if (view.name !== "things" || edited || document.querySelector("[role=dialog],dialog,[aria-expanded=true]") || main.contains(document.activeElement)) return;
    const before = JSON.stringify(things);
    await load();
    if (JSON.stringify(things) !== before) draw();
  }, 900);
