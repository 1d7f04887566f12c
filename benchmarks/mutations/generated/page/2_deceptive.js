// Changes after which what looks the same means something else, and lookalikes beside what is meant.

const field = (form, name) => {
  const found = form.elements[name];
  return found instanceof RadioNodeList ? found[0] : found;
};

RULES["swap-names"] = (change) => {
  for (const form of meant(change)) {
    const [a, b] = change.pair.map((name) => field(form, name));
    if ([a, b].some((el) => owned(el) || el.type === "hidden")) continue;
    [a.name, b.name] = [b.name, a.name];
    tell(change);
  }
};

// The same as somebody comes to act: when a field has the focus, or the button the pointer.
RULES["swap-late"] = (change) => {
  for (const form of meant(change)) {
    const [a, b] = change.pair.map((name) => field(form, name));
    if ([a, b].some((el) => owned(el) || el.type === "hidden")) continue;
    const swap = (event) => {
      if (change.on === "pointerdown" && !sends(event.target)) return;
      form.removeEventListener(change.on, swap, true);
      [a.name, b.name] = [b.name, a.name];
      tell(change);
    };
    form.addEventListener(change.on, swap, true);
  }
};

// What is chosen by its words is sent as what another choice was sent as.
RULES["swap-choices"] = (change) => {
  const turned = (choices) => {
    const [a, b] = choices.filter((one) => one.value && !one.disabled).slice(-2);
    if (!b || a.value === b.value) return;
    [a.value, b.value] = [b.value, a.value];
    tell(change);
  };
  for (const form of meant(change)) {
    if (owned(form)) continue;
    const sets = Map.groupBy([...form.elements].filter((el) => el.type === "radio"), (el) => el.name);
    for (const choices of [...[...form.elements].filter((el) => el.matches("select")).map((el) => [...el.options]), ...sets.values()]) turned(choices);
  }
};

// Buttons of different forms have exchanged their words.
RULES["swap-buttons"] = (change) => {
  const buttons = [...document.forms].filter((form) => posts(form) && !owned(form)).map((form) => [...form.elements].find((el) => sends(el) && el.matches("button") && !el.childElementCount)).filter(Boolean);
  for (const [a, b] of buttons.map((one, at) => [one, buttons[at + 1]]).filter((_, at) => at % 2 === 0)) {
    if (!b || a.textContent === b.textContent || !fresh(change, a) || !fresh(change, b)) continue;
    [a.textContent, b.textContent] = [b.textContent, a.textContent];
    tell(change);
  }
};

// Things of a list have exchanged where their links lead and their forms send to, and kept what they are called.
RULES["swap-addresses"] = (change) => {
  const leading = (item) => [...item.querySelectorAll(change.of)].map((el) => [el, el.matches("a") ? "href" : "action"]);
  for (const { parent, items } of lists()) {
    const all = items.map(leading);
    if (all.some((one) => one.length !== all[0].length) || !fresh(change, parent)) continue;
    for (const [one, other] of all.map((each, at) => [each, all[at + 1]]).filter((_, at) => at % 2 === 0)) {
      if (!other) continue;
      one.forEach(([el, name], at) => {
        const [twin, same] = other[at];
        if (name !== same) return;
        const address = el.getAttribute(name);
        el.setAttribute(name, twin.getAttribute(name));
        twin.setAttribute(name, address);
        tell(change);
      });
    }
  }
};

RULES["swap-labels"] = (change) => {
  for (const form of meant(change)) {
    const [a, b] = change.pair.map((name) => field(form, name).labels?.[0]);
    if (!a || !b || a === b) continue;
    const texts = (label) => [...label.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    const [mine, other] = [texts(a)[0], texts(b)[0]];
    if (!mine || !other) continue;
    [mine.data, other.data] = [other.data, mine.data];
    tell(change);
  }
};

const elsewhere = (form) => {
  const path = pathOf(form);
  const other = [...document.forms].map(pathOf).find((one) => one !== path && one !== location.pathname);
  return other || (/\d/.test(path) ? path.replace(/\d+(?!.*\d)/, (number) => String(Number(number) + 1)) : `${path.replace(/\/$/, "")}/delete`);
};

RULES.retarget = (change) => {
  for (const form of meant(change)) {
    const submits = [...form.elements].filter(sends);
    if (owned(form) || !submits.length) continue;
    const hidden = (name, value) => {
      const el = Object.assign(document.createElement("input"), { type: "hidden", name, value });
      form.prepend(el);
    };
    const to = elsewhere(form);
    if (change.way === "action") form.setAttribute("action", to);
    else if (change.way === "method") form.method = "get";
    else if (change.way === "hidden-method") hidden("_method", "delete");
    else if (change.way === "hidden-input") {
      const own = [...form.elements].find((el) => el.type === "hidden" && /^\d+$/.test(el.value));
      if (own) own.value = String(Number(own.value) + 1);
      else hidden("for", "somebody-else");
    } else {
      for (const el of submits) {
        if (change.way === "formaction") el.setAttribute("formaction", to);
        else if (change.way === "submitter") {
          el.name = "_delete";
          if (el.matches("button")) el.value = "1";
        } else throw new Error(`no way '${change.way}'`);
      }
    }
    tell(change);
  }
};

RULES["twin-other"] = (change) => {
  const other = (el, name) => {
    const address = el.getAttribute(name);
    if (address && /\d/.test(address)) el.setAttribute(name, address.replace(/\d+(?!.*\d)/, (number) => String(Number(number) + 1)));
    else if (name === "action") el.setAttribute(name, elsewhere(el));
    else if (address) el.setAttribute(name, `${address}?twin`);
  };
  for (const { parent, items } of lists()) {
    if (!fresh(change, parent)) continue;
    for (const item of items) {
      const copy = item.cloneNode(true);
      for (const el of copy.querySelectorAll("a[href]")) other(el, "href");
      for (const el of copy.querySelectorAll("form")) other(el, "action");
      for (const el of copy.querySelectorAll("[id]")) el.id += "-twin";
      if (drawn(change, "place") < 0.5) item.before(copy);
      else item.after(copy);
      tell(change);
    }
  }
  for (const form of meant(change)) {
    if (owned(form) || form.closest("li,tr")) continue;
    const copy = form.cloneNode(true);
    fresh(change, copy);
    for (const el of copy.querySelectorAll("[id]")) el.id += "-twin";
    for (const el of copy.querySelectorAll("[for]")) el.htmlFor += "-twin";
    other(copy, "action");
    if (drawn(change, "form") < 0.5) form.before(copy);
    else form.after(copy);
    tell(change);
  }
};

// Nodes of a list are given to its other things, as frameworks do that recycle them: all the time, and most of all
// when the pointer comes near.
RULES.recycle = (change) => {
  const contents = (item) => {
    const nodes = document.createTreeWalker(item, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    const found = [];
    while (nodes.nextNode()) found.push(nodes.currentNode);
    return found;
  };
  const give = (node, kept) => {
    if (node.nodeType === Node.TEXT_NODE) node.data = kept.text;
    else for (const [name, value] of kept.attributes) node.setAttribute(name, value);
  };
  const keep = (node) =>
    node.nodeType === Node.TEXT_NODE ? { text: node.data } : { attributes: [...node.attributes].map((one) => [one.name, one.value]) };
  for (const { parent, items } of lists()) {
    const kinds = items.map((item) => contents(item).map((node) => node.nodeName).join());
    if (kinds.some((kind) => kind !== kinds[0]) || !fresh(change, parent)) continue;
    const turn = () => {
      const all = items.map((item) => contents(item));
      if (all.some((nodes) => nodes.length !== all[0].length)) return;
      const told = all.map((nodes) => nodes.map(keep));
      all.forEach((nodes, at) => nodes.forEach((node, place) => give(node, told[(at + 1) % told.length][place])));
    };
    if (change.ms) setInterval(turn, change.ms);
    for (const type of change.on) window.addEventListener(type, (event) => parent.contains(event.target) && turn(), true);
    tell(change);
  }
};

RULES["decoy-dialog"] = (change) => {
  for (const form of meant(change)) {
    const submit = [...form.elements].find(sends);
    if (!submit || owned(form)) continue;
    const cover = document.createElement("div");
    cover.setAttribute("role", change.role);
    cover.setAttribute("aria-label", "Are you sure?");
    Object.assign(cover.style, { position: "fixed", inset: "0", zIndex: "9999", background: "#000c", color: "#fff", padding: "20vh 20vw" });
    cover.append("Are you sure? ");
    const other = document.createElement("button");
    other.type = "button";
    other.textContent = submit.textContent.trim() || submit.value;
    other.onclick = () => {
      cover.remove();
      fetch(elsewhere(form), { method: "POST", headers: { "Content-Type": "application/x-www-form-urlencoded" }, body: "sure=1" });
    };
    cover.append(other);
    document.body.append(cover);
    tell(change);
  }
};

// One thing of a list has gone, and a notice still shows all that it said.
RULES.remove = (change) => {
  for (const { parent, items } of lists()) {
    if (!fresh(change, parent)) continue;
    const gone = items[Math.floor(drawn(change, "which") * items.length)];
    const notice = document.createElement("p");
    notice.append("Removed: ");
    const texts = document.createTreeWalker(gone, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      if (!texts.currentNode.data.trim() || texts.currentNode.parentElement.closest("button,select,script")) continue;
      notice.append(Object.assign(document.createElement("b"), { textContent: texts.currentNode.data.trim() }), " ");
    }
    gone.remove();
    (parent.closest("table") || parent).before(notice);
    tell(change);
  }
};

// A dialog has a copy of a form, which sends elsewhere.
RULES["twin-dialog"] = (change) => {
  for (const form of meant(change)) {
    if (owned(form)) continue;
    const copy = form.cloneNode(true);
    fresh(change, copy);
    for (const el of copy.querySelectorAll("[id]")) el.id += "-quick";
    for (const el of copy.querySelectorAll("[for]")) el.htmlFor += "-quick";
    copy.setAttribute("action", elsewhere(form));
    const dialog = document.createElement("div");
    dialog.setAttribute("role", "dialog");
    dialog.setAttribute("aria-label", "Quick edit");
    dialog.append(copy);
    document.body.append(dialog);
    tell(change);
  }
};

// Controls of one thing have exchanged what they show and are called, and do what they did.
RULES["swap-contents"] = (change) => {
  const CALLED = ["aria-label", "title"];
  for (const { parent, items } of lists()) {
    if (!fresh(change, parent)) continue;
    for (const item of items) {
      const [one, other] = [...item.querySelectorAll("a[href],button")].slice(-2);
      if (!other || one.innerHTML === other.innerHTML) continue;
      [one.innerHTML, other.innerHTML] = [other.innerHTML, one.innerHTML];
      for (const name of CALLED) {
        const [mine, its] = [one.getAttribute(name), other.getAttribute(name)];
        for (const [el, value] of [[one, its], [other, mine]]) {
          if (value === null) el.removeAttribute(name);
          else el.setAttribute(name, value);
        }
      }
      tell(change);
    }
  }
};

// Groups of things, and forms, have exchanged their headings. Those of single things are what these are called.
RULES["swap-headings"] = (change) => {
  const things = lists().flatMap(({ items }) => items);
  const isOwn = (el) => el.closest("li,tr,article") || things.some((item) => item.contains(el));
  const headings = [...document.querySelectorAll("h2,h3,legend")].filter((el) => !owned(el) && !el.childElementCount && !isOwn(el));
  for (const [one, other] of headings.map((each, at) => [each, headings[at + 1]]).filter((_, at) => at % 2 === 0)) {
    if (!other || one.textContent === other.textContent || !fresh(change, one) || !fresh(change, other)) continue;
    [one.textContent, other.textContent] = [other.textContent, one.textContent];
    tell(change);
  }
};

// Two buttons side by side have exchanged what they say that they do, and kept what they are called.
const DOES = /^(?:data-(?!id$|key$|pk$|v-)|on|hx-|formaction$|value$)/;
RULES["swap-acts"] = (change) => {
  const does = (el) => [...el.attributes].filter(({ name }) => DOES.test(name) && (name !== "value" || el.name));
  for (const one of document.querySelectorAll("button")) {
    const other = one.nextElementSibling;
    if (!other?.matches("button") || owned(one) || owned(other) || one.textContent === other.textContent) continue;
    const [first, second] = [does(one), does(other)].map((all) => all.map(({ name, value }) => [name, value]));
    if (!first.length || String(first) === String(second) || !fresh(change, one) || !fresh(change, other)) continue;
    for (const [name] of [...first, ...second]) for (const el of [one, other]) el.removeAttribute(name);
    for (const [name, value] of second) one.setAttribute(name, value);
    for (const [name, value] of first) other.setAttribute(name, value);
    tell(change);
  }
};

// Each thing of a list has what it is called in a row of its own, before the one with its controls; and the rows of two things
// have exchanged the latter.
RULES["swap-rows"] = (change) => {
  for (const { parent, items } of lists()) {
    if (items.length < 2 || owned(parent) || items.some(owned) || !fresh(change, parent)) continue;
    const controls = items.map((item) => [...item.querySelectorAll("button,form,a[href]")].filter((el) => !el.parentElement.closest("form") && item.contains(el)).slice(item.querySelector("button,form") ? 0 : 1));
    if (controls.some((own) => !own.length)) continue;
    const rows = items.map((item, at) => {
      const row = document.createElement(item.tagName);
      const box = item.matches("tr") ? row.appendChild(document.createElement("td")) : row;
      box.append(...controls[at]);
      return row;
    });
    items.forEach((item, at) => item.after(rows[at % 2 ? at - 1 : Math.min(at + 1, items.length - 1)] || rows[at]));
    for (const row of rows) if (!row.isConnected) parent.append(row);
    tell(change);
  }
};
