// Lists that a script draws: a field that opens one (WAI-ARIA's combobox), a list or a group of radio buttons that stands
// open. Which options it offers, and what it shows to be chosen. Not responsible for: the browser's own lists (`select`),
// or the order of what is done to one (`acting/drawn_lists.py`).

const OPENS_LIST = "[role=combobox]:not(select),[aria-haspopup=listbox]:not(select),input[aria-autocomplete=list],input[aria-autocomplete=both]";
const STANDS_OPEN = "[role=listbox]:not(select,datalist),[role=radiogroup]";
const LISTS = "[role=listbox],[role=radiogroup],[role=tree],[role=grid],[role=menu]";
const OFFERED = "[role=option],[role=radio],[role=treeitem],[role=menuitemradio],[role=menuitemcheckbox]";
const isPicker = (el) => el.matches(`${OPENS_LIST},${STANDS_OPEN}`) && !(tagOf(el) === "input" && el.list);

const choosing = { el: null, path: "", before: new Set(), lists: new Set(), texts: [], sent: new Map(), option: null, several: [], chosen: null };
// el: the field that is chosen in. before: what could be seen before its list was opened. texts: what the field showed then.
// lists: what was open before an option was pressed. sent: what the fields in it held then, those that nobody sees as well: a form sends them.
// option: what was pressed last: its label, and what it says to be sent as. several: what was pressed before it in the same
// list. chosen: whether it said itself that it is chosen.
function beginChoosing() {
  const el = guard.armed?.el;
  if (!el) return { open: false, stands: false };
  if (tagOf(el) === "select") return { native: true };
  Object.assign(choosing, { el, path: cssPath(el), before: new Set(all(document.body, "*").filter(isDrawn)), lists: new Set(), option: null, several: [], chosen: null });
  Object.assign(choosing, { texts: textsShown(), sent: sentWithin() });
  return begun(el);
}
const begun = (el) => {
  return { open: isUnfolded(), stands: el.matches(STANDS_OPEN), hit: isReached(el), acts: acts(el), called: brief(el), several: takesSeveral(el) };
};
const takesSeveral = (el) => !!listBehind(el)?.multiple || [el, ...openLists()].some((at) => attr(at, "aria-multiselectable") === "true");
// The next option of the same list: what was chosen of it before is to stand beside it.
function chooseOn() {
  const el = picker();
  Object.assign(choosing, { el, before: new Set(all(document.body, "*").filter(isDrawn)), several: [...choosing.several, ...[choosing.option].filter(Boolean)], option: null });
  return begun(el);
}
// What nobody sees may lie over its widget, transparent: a pointer reaches it.
const isReached = (el) => {
  const box = el.getBoundingClientRect();
  return visible(el) && box.width > 1 && box.height > 1 && !coveredBy(el);
};
// What does something else than opening a list when it is pressed: a button that says of nothing that it opens it.
const acts = (el) => el.matches(`${REACTING},input[type=submit]`) && !isPicker(el) && !takesText(el) && !el.matches("[aria-haspopup]:not([aria-haspopup=false]),[aria-expanded]");
const endChoosing = () => Object.assign(choosing, { el: null, before: new Set(), lists: new Set() });
const isDrawn = (el) => {
  const box = el.getBoundingClientRect();
  return box.width > 2 && box.height > 2 && el.checkVisibility({ visibilityProperty: true, opacityProperty: true });
};
const picker = () => inPlaceOf(choosing.el, choosing.path);

// The lists that a field has opened: those that it names, or else what can be seen since it was opened. A list that is
// drawn as far as it can be seen has a twin for assistive technology that nobody sees: that one is none.
function openLists() {
  const el = picker();
  if (el.matches(STANDS_OPEN)) return [el];
  const near = [el, ...[...ancestors(el)].slice(0, 3), ...all(el, "input")];
  const named = near.flatMap((at) => [...refsOf(at, "aria-controls"), ...refsOf(at, "aria-owns"), ...refsOf(at, "aria-activedescendant").map((one) => closest(one, LISTS) || one.parentElement)]);
  const lists = [...new Set(named)].filter((list) => visible(list) && !holds(list, el) && optionsIn(list, true).length);
  return lists.length ? innermost(lists) : appeared(el);
}
function appeared(el) {
  const fresh = all(document.body, "*").filter((at) => !choosing.before.has(at) && isDrawn(at) && !holds(at, el));
  const set = new Set(fresh);
  return fresh.filter((at) => !set.has(parentOf(at)));
}
// The options in a list: what says to be one, or, where nothing does, the innermost parts with a text.
function optionsIn(list, stated = false) {
  const found = all(list, OFFERED).filter((at) => visible(at) && !isShutIn(at) && !at.matches(MENU_OPENERS));
  if (found.length || stated) return innermost(found);
  const texts = [list, ...all(list, "*")].filter((at) => !SILENT.has(tagOf(at)) && isDrawn(at) && !isShutIn(at) && !at.matches(FIELDS) && [...at.childNodes].some((node) => node.nodeType === 3 && fold(node.data)));
  return innermost(texts);
}
// What stands in a part that is a dot, and shows nothing that stands out of it, is for assistive technology alone.
const isShutIn = (el) => [...ancestors(el)].some((at) => {
  const box = at.getBoundingClientRect();
  return (box.width <= 2 || box.height <= 2) && getComputedStyle(at).overflow !== "visible";
});
const optionsNow = () => openLists().flatMap((list) => optionsIn(list));
const isUnfolded = () => {
  const el = picker();
  if (el.matches(STANDS_OPEN)) return true;
  const said = [el, ...[...ancestors(el)].slice(0, 2), ...all(el, "[aria-expanded]")].find((at) => at.hasAttribute("aria-expanded"));
  return said ? attr(said, "aria-expanded") === "true" : openLists().some((list) => optionsIn(list, true).length);
};
// What an option is called: by its name, or by all that it shows.
const calledOption = (at) => [...new Set([nameOf(at), fold(at.innerText)])].filter(Boolean);
const OWN_VALUES = ["data-value", "value", "data-id", "data-key"];
const sentAsOption = (at) => OWN_VALUES.map((name) => attr(at, name)).find(Boolean) || "";
const fittingOptions = (label) => {
  const options = optionsNow();
  const called = options.filter((at) => calledOption(at).includes(fold(label)));
  return called.length ? called : options.filter((at) => sentAsOption(at) === label);
};
const MOST_OPTIONS = 300;
// What the list that is open offers now: how many options are called as sought, and what the others are called.
const offered = remembering((label) => {
  for (const list of openLists()) choosing.lists.add(list);
  const fits = fittingOptions(label);
  const told = optionsNow().slice(0, MOST_OPTIONS).map((at) => calledOption(at)[0] || "").filter(Boolean);
  const stated = fits.length === 1 && isStated(fits[0]);
  const already = stated && shownTimes(label, choosing.texts) > 0;
  if (already) keepOption(fits[0]);
  return { open: isUnfolded(), found: fits.length, barred: fits.length === 1 && DISABLED(fits[0]), options: told, busy: busy(), already };
});
const isStated = (at) => ["aria-selected", "aria-checked"].some((name) => attr(at, name) === "true") || !!at.checked;
// Scroll the list on, as far as it goes; returns whether it has moved: of a long one only what is in view may be drawn.
function scrollList() {
  for (const list of openLists()) {
    const at = [list, ...all(list, "*"), ...ancestors(list)].find((one) => one !== document.documentElement && one !== document.body && one.scrollHeight > one.clientHeight + 1 && /auto|scroll|hidden/.test(getComputedStyle(one).overflowY) && one.clientHeight > 20);
    if (!at) continue;
    const from = at.scrollTop;
    at.scrollTop = from + Math.max(20, at.clientHeight - 20);
    if (at.scrollTop > from) return true;
  }
  return false;
}
// Where one types to find an option: in the field itself, or in one that its list has.
function searchIn() {
  const el = picker();
  const types = (at) => at && (takesText(at) || at.isContentEditable) && EDITABLE(at) && !DISABLED(at);
  if (types(el)) return isPicker(el) || isUnfolded() ? el : null;
  const own = [focused(), ...openLists().flatMap((list) => all(list, "input,textarea")), ...all(el, "input,textarea")];
  return own.find((at) => types(at) && at !== document.body && (!choosing.before.has(at) || holds(el, at))) || null;
}

// The part of the page that a field which opens a list is drawn as: as far up as there is no other field in it.
function widgetOf(el) {
  const other = (at) => at.matches("form,fieldset,body,dialog,[role=dialog],[role=form]") || all(at, FIELDS).some((one) => one !== el && !holds(el, one) && isDrawn(one) && !inLists(one));
  let found = el;
  for (let level = 0; level < 6 && found.parentElement && !other(found.parentElement); level++) found = found.parentElement;
  return found;
}
const inLists = (at) => !!closest(at, LISTS) || [...choosing.lists].some((list) => holds(list, at));
// What a field shows: the texts of its part of the page without its list, and what stands in it.
function textsShown() {
  const el = picker();
  if (el.matches(STANDS_OPEN)) return optionsIn(el, true).filter(isStated).flatMap(calledOption);
  const part = widgetOf(el);
  const lists = [...choosing.lists];
  const labels = refsOf(el, "aria-labelledby").filter((at) => !holds(at, el) && !holds(el, at));
  const texts = [...pieces(part)].filter((node) => fold(node.data) && isDrawn(node.parentElement) && ![...lists, ...labels].some((part) => holds(part, node.parentElement)) && !closest(node.parentElement, "label,[role=listbox],[role=status],[aria-live],select")).map((node) => fold(node.data));
  const fields = [el, ...all(part, "input")].filter((at) => takesText(at) && !isSecret(at) && !lists.some((list) => holds(list, at))).map((at) => fold(at.value));
  return [...texts, ...chosenBeside(el).filter((text) => !texts.includes(text)), ...new Set(fields), ...(takesText(el) || el.childElementCount < 1 ? [] : [fold(el.innerText)])].filter(Boolean);
}
const shownTimes = (label, texts) => texts.filter((text) => text === fold(label)).length;
const sentWithin = () => new Map(all(widgetOf(choosing.el), "input,select").filter((at) => !isSecret(at) && at.type !== "file" && at !== choosing.el).map((at) => [at, sendsNow(at)]));
const sendsNow = (at) => (tagOf(at) === "select" ? [...at.selectedOptions].map((one) => one.value).join() : at.value);
function keepOption(at) {
  Object.assign(choosing, { option: { label: calledOption(at)[0] || "", value: sentAsOption(at), el: at }, chosen: null });
}
// What became of a choice: whether the field shows it, or its list says so; and what it shows since then.
function pickedNow(label) {
  const texts = textsShown();
  const names = [label, choosing.option?.label || label];
  const { el } = choosing.option || {};
  const said = el?.isConnected && visible(el) && isStated(el) && calledOption(el).some((one) => names.includes(one));
  const many = el && attr(closest(el, "[aria-multiselectable]") || el, "aria-multiselectable") === "true";
  const stands = picker().matches(STANDS_OPEN);
  const shown = names.some((name) => shownTimes(name, texts) > 0);
  const left = [...choosing.texts];
  const anew = texts.filter((text) => !(left.includes(text) && left.splice(left.indexOf(text), 1)));
  const sets = [...sentWithin()].filter(([at, now]) => now && choosing.sent.get(at) !== now && !takesText(at)).map(([at, now]) => [attr(at, "name"), now]);
  const one = { shown: stands ? !!said : shown || (!!said && !!many) || names.some(isChosenBehind), anew: [...new Set(anew)], sets, value: choosing.option?.value || "", label: choosing.option?.label || "" };
  return choosing.several.length && choosing.option ? pickedAll(one, texts) : one;
}
// What became of several choices in one list: all of them have to be shown. What only one of them says stands for none.
function pickedAll(last, texts) {
  const all = [...choosing.several, choosing.option];
  const others = choosing.several.every(({ label, el }) => shownTimes(label, texts) > 0 || (el.isConnected && isStated(el)) || isChosenBehind(label));
  const joined = (of) => all.map(of).join(", ");
  const values = all.every(({ value }) => value) ? joined(({ value }) => value) : "";
  return { shown: last.shown && others, anew: [], sets: last.sets.length === 1 ? last.sets : [], value: values, label: joined(({ label }) => label), several: all.map(({ label, value }) => [label, value].filter(Boolean)) };
}
// What a list of the browser's own that the script keeps behind the field has chosen is what a form sends.
const isChosenBehind = (label) => all(widgetOf(choosing.el), "select").filter(isUndrawnList).some((list) => [...list.selectedOptions].some((one) => fold(one.label) === fold(label)));
const isPicked = remembering((label) => ({ ...pickedNow(label), open: isUnfolded() && !picker().matches(STANDS_OPEN), busy: busy() }));

// An option or a radio button of a list that a script draws is about to be pressed: whose it is, as far as the page shows.
// Where nothing does, it is that of the field that stands around it, or that was acted on last, which has opened it: also the
// next one of a list that stays open.
const openers = new WeakMap();
function optionPressed(el) {
  const at = closest(el, "[role=option],[role=radio]:not(input)");
  if (!at || !FROM_CONTENT.has(roleOf(at))) return null;
  // An element of the site's own may be the group: its shadow root has the part with that role around what stands in it.
  const list = [...ancestors(at)].find((part) => part.matches("[role=listbox],[role=radiogroup]")) || null;
  const names = (one) => all(document, "[aria-controls],[aria-owns],[aria-activedescendant]").find((by) => [...refsOf(by, "aria-controls"), ...refsOf(by, "aria-owns"), ...refsOf(by, "aria-activedescendant")].some((to) => to === one || to === at));
  const last = [list && closest(list, OPENS_LIST), writing.el, list && openers.get(list)].find((one) => one?.isConnected && isPicker(one) && one !== list);
  const own = list?.matches("[role=radiogroup]") || (list && formOf(list)) ? list : null;
  const fields = [list && names(list), own, last, list].filter(Boolean);
  const field = fields.find((one) => captionOf(one) || labelOf(one)) || fields[0];
  if (!field) return null;
  if (list && field !== list) openers.set(list, field);
  const many = attr(list || at, "aria-multiselectable") === "true";
  return {
    el: at, stated: isStated(at), many, label: calledOption(at)[0] || "", value: sentAsOption(at), opened: field !== list, part: calledPart(field),
    widget: field === list ? null : widgetOf(field), kept: field === list ? null : keptIn(widgetOf(field)),
    names: [...new Set([captionOf(field) || labelOf(field), list ? labelOf(list) : "", attr(field, "name") || sentAround(field)])].filter(Boolean), form: formShape(formOf(field)),
  };
}
// What became of it: false where it was chosen already, and several can be: then it was taken out. What nobody sees may be
// set by it, as a list of the browser's own: the choice is called as that is, and sent as it says.
function readOption() {
  if (writing.option.bare) return readBare(writing.option);
  const { el, stated, widget, kept, ...told } = writing.option;
  if (stated && told.many) return null;
  const set = kept ? changedIn(widget, kept) : [];
  if (set.length === 1) {
    told.names = [...new Set([...told.names, attr(set[0], "name")])].filter(Boolean);
    told.value ||= tagOf(set[0]) === "select" && set[0].multiple ? "" : sendsNow(set[0]);
  }
  return el.isConnected && visible(el) && el.matches("[role=radio]") && !isStated(el) ? null : told;
}

// Radio buttons that a script draws are one field: of each group what is on, as it is called and as it is sent.
const DRAWN_RADIO = "[role=radio]:not(input)";
const isDrawnRadio = (el) => !!closest(el, DRAWN_RADIO);
function* drawnRadios() {
  for (const group of all(document, "[role=radiogroup]")) {
    const radios = all(group, DRAWN_RADIO).filter((one) => visible(one) && closest(one, "[role=radiogroup]") === group);
    if (radios.length) yield [group, radios.filter(isStated).flatMap((one) => [...calledOption(one), sentAsOption(one)]).filter(Boolean)];
  }
}

// What was chosen in a field that takes several may stand beside it, in a part that has no other field: each with a button
// by which it is taken out again.
function chosenBeside(el) {
  let part = null;
  for (const at of [...ancestors(el)].slice(0, 6)) {
    if (at.matches("form,body,main,dialog,[role=dialog]") || askedIn(at).length > 1) break;
    part = at;
  }
  const isPress = "button,[role=button]";
  const saysOf = (at) => fold([...textNodesIn(at)].filter((node) => !closest(node.parentElement, isPress)).map((node) => node.data).join(" "));
  const isChosen = (at) => !holds(at, el) && !at.matches(`${isPress},label`) && all(at, isPress).some(visible) && !!saysOf(at) && visible(at);
  return part ? innermost(all(part, "*").filter(isChosen)).map(saysOf) : [];
}

// Arm the guard with a part of the field that is chosen in: an option, or where one types. What was put in stays that of the field.
function armPart(el, still) {
  Object.assign(guard, { armed: { el, still }, acted: false, pressed: "", keyed: false, hushed: false, passed: 0, heard: new Set(), fresh: new WeakSet(), seen: null });
  return [el];
}
function pickerPart(asked) {
  const el = choosing.el && picker();
  if (!el?.isConnected) return [];
  const here = (at) => () => (at.isConnected ? "" : "it has left the page");
  if (asked === "field") return armPart(el, here(el));
  if (asked === "widget") return armPart(widgetOf(el), here(el));
  if (asked === "focus") return focused() ? armPart(focused(), here(focused())) : [];
  if (asked === "search") return searchIn() ? armPart(searchIn(), here(searchIn())) : [];
  const [option, ...more] = fittingOptions(asked.option);
  if (!option || more.length) return [];
  keepOption(option);
  const own = sentAsOption(option);
  return armPart(option, () => (option.isConnected && (calledOption(option).includes(fold(asked.option)) || own === asked.option) && sentAsOption(option) === own ? "" : "the option became another one"));
}
