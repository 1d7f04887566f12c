"""The scripts of a drafted site: what draws its pages in the browser, or exchanges parts of them."""

DRAWS = """
const main = document.querySelector("main");
const made = (html) => {
  const within = document.createElement("template");
  within.innerHTML = html.trim();
  return within.content.firstChild;
};
const json = { "content-type": "application/json" };
const post = async (at, body, method = "POST") =>
  (await fetch(at, { method, headers: json, body: JSON.stringify(body) })).json();
async function ask(operationName, kind, variables) {
  const query = `${kind} ${operationName} { ${operationName} }`;
  return (await post("/graphql", { operationName, query, variables })).data[operationName];
}
const here = () => location.pathname + location.search;
let answered = null;
const tokenOf = () => {
  const token = new FormData(made(FORM_HTML)).get("token");
  return token ? { token } : {};
};
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.note) return;
  event.preventDefault();
  await send("note", form.dataset.note, { ...tokenOf(), note: form.elements.note.value });
  draw();
});
async function send(act, id, fields) {
  const at = `/api/${act}/${encodeURIComponent(id)}?at=${encodeURIComponent(here())}`;
  const methods = { remove: "DELETE", change: { put: "PUT", patch: "PATCH" }[WAYS.sent] };
  const answer =
    WAYS.sent === "graphql"
      ? await ask(`${act}Thing`, "mutation", { id, at: here(), input: fields })
      : await post(at, fields, methods[act]);
  answered = answer.view || null;
  return answer;
}
function go(to) {
  if (WAYS.drawn !== "views") return (location.href = to);
  history.pushState(null, "", to);
  return draw();
}
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[href^='/']");
  if (link && WAYS.drawn === "views") {
    event.preventDefault();
    return go(link.getAttribute("href"));
  }
  if (event.target.closest("[data-many]")) {
    await send("remove", [...main.querySelectorAll("[name=id]:checked")].map((box) => box.value).join(","), tokenOf());
    return draw();
  }
  const button = event.target.closest("button[data-act]");
  if (!button || (button.dataset.act === "remove" && !confirm("Remove it?"))) return;
  await send(button.dataset.act, button.dataset.id, tokenOf());
  return button.dataset.act === "remove" ? go("/things") : draw();
});
async function told() {
  const data = WAYS.sent === "graphql" ? await ask("things", "query", {}) : await (await fetch("/api/things")).json();
  if (WAYS.store === "list") localStorage.things = JSON.stringify(data);
  return data;
}
const viewAt = async (at) =>
  WAYS.sent === "graphql"
    ? ask("view", "query", { at })
    : (await fetch(`/api/view?at=${encodeURIComponent(at)}`)).json();
function formOf(thing) {
  const form = made(FORM_HTML);
  for (const name of [...NAMES, "version"]) {
    const input = form.elements[name];
    if (!input) continue;
    if (input.type === "checkbox") input.checked = !!thing[name];
    else input.value = thing[name] ?? (name === "version" ? 0 : "");
  }
  if (thing.id && WAYS.edits === "auto") {
    form.dataset.auto = thing.id;
    form.querySelector("button:not([type])").remove();
    return form;
  }
  const before = Object.fromEntries(new FormData(form));
  form.onsubmit = async (event) => {
    event.preventDefault();
    let fields = Object.fromEntries(new FormData(form));
    if (WAYS.store === "draft") localStorage.draft = JSON.stringify(fields);
    if (WAYS.sent === "patch" && thing.id) {
      if (!("open" in fields)) fields.open = false;
      const other = ([name, value]) => ["token", "version"].includes(name) || value !== before[name];
      fields = Object.fromEntries(Object.entries(fields).filter(other));
      if (fields.open === false && !("open" in before)) delete fields.open;
    }
    go((await send(thing.id ? "change" : "make", thing.id || "", fields)).to);
  };
  return form;
}
async function draw() {
  const given = answered;
  answered = null;
  main.innerHTML = given ? given.html : "<p>Loading";
  const data = location.pathname === "/about" ? [] : await told();
  const view = given || (await viewAt(here()));
  main.innerHTML = view.html;
  if (view.form) main.append(formOf(data.find((one) => one.id === view.form) || {}));
  const place = main.querySelector("[data-new]");
  if (place) place.append(formOf({}));
}
draw();
"""
"""Draws every page from what it asks for: each anew, or as views of one document."""

EXCHANGES = """
async function come(at, options) {
  const answer = await fetch(at, options);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  if (here() !== answer.url) history.pushState(null, "", answer.url);
  document.title = page.title;
  document.body.replaceChildren(...page.body.childNodes);
}
const here = () => location.href;
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='/']");
  if (!link) return;
  event.preventDefault();
  come(link.href);
});
document.addEventListener("submit", (event) => {
  const form = event.target;
  event.preventDefault();
  const data = new FormData(form, event.submitter);
  const multipart = form.enctype === "multipart/form-data";
  come(form.action || here(), { method: "POST", body: multipart ? data : new URLSearchParams(data) });
});
addEventListener("popstate", () => come(here()));
"""
"""Exchanges the body of a document for that of the page that a link or a form leads to."""

BESIDE = """
document.addEventListener("click", (event) => {
  const further = event.target.closest("[data-further]");
  if (further) {
    const step = further.closest("div");
    step.hidden = true;
    step.nextElementSibling.hidden = false;
  }
  const button = event.target.closest("[data-inline]");
  if (!button) return;
  const { inline, id, value } = button.dataset;
  const input = document.createElement("input");
  input.value = value;
  input.setAttribute("aria-label", inline === "text" ? "Text" : "Amount");
  input.onkeydown = async (pressed) => {
    if (pressed.key !== "Enter") return;
    await changes(id, { [inline]: input.value });
    again();
  };
  button.replaceWith(input);
  input.focus();
});
let later = 0;
document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-auto]");
  if (!form) return;
  clearTimeout(later);
  later = setTimeout(async () => {
    await changes(form.dataset.auto, Object.fromEntries(new FormData(form)));
    let said = form.querySelector("output");
    if (!said) form.append((said = document.createElement("output")));
    said.textContent = "All changes saved";
  }, 300);
});
async function changes(id, fields) {
  const body = JSON.stringify({ ...fields, ...(TOKEN ? { token: TOKEN } : {}) });
  const headers = { "content-type": "application/json" };
  const at = encodeURIComponent(location.pathname + location.search);
  await fetch(`/api/change/${encodeURIComponent(id)}?at=${at}`, { method: "POST", headers, body });
}
const again = () => (WAYS.drawn === "parts" ? come(location.href) : DRAWN ? draw() : location.reload());
"""
"""What any site has beside: forms in steps, values that are changed in their place, forms that save by themselves."""
