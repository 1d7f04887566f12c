// Knows a field whose `name` attribute alone was renamed: by its label, by the other fields of its form, and by the old name
// being gone. What a name differs by may be an index or an id: then it is another one of several fields. And knows a form
// that would send under a name what another of its fields holds.

const MOST_FIELDS = 40;
const isField = (el) => el.matches(FIELDS) && !["hidden", "submit", "image", "button", "reset"].includes(el.type);
const fieldsIn = (form) => [...new Set([...(form.elements || []), ...all(form, FIELDS)])].filter((el) => isField(el) && visible(el));
const fieldEvidence = (el) => {
  const own = { name: attr(el, "name"), role: roleOf(el), type: typeOf(el), label: labelOf(el) || nameOf(el) };
  const group = isTicked(el) && [...ancestors(el)].find(isNamedGroup);
  return isTicked(el) ? { ...own, group: group ? cut(nameOf(group), 120) : "", value: masked(sentAs(el)) } : own;
};
// The fields beside one in its form, or those that a button sends; null where it is in none, or has too many to compare.
function fieldsBeside(el) {
  const form = isField(el) || SENDING.has(typeOf(el)) ? formOf(el) : null;
  const others = form ? fieldsIn(form).filter((other) => other !== el) : [];
  return form && others.length <= MOST_FIELDS ? others.map(fieldEvidence) : null;
}

const NAME_PARTS = /[^\p{L}\p{N}]+|(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/u;
const withoutIndex = (name) =>
  name.split(NAME_PARTS).filter((part) => part && !/^(?:\p{N}+|\p{L})$/u.test(part) && masked(part) !== "{id}").join(" ").toLowerCase();
// What stands in the head of a document is no field: <meta name=description>.
const isTaken = (name) => withValue(document.body, "name", name).length > 0;
const isNewName = (old, name) => !!old && !!name && withoutIndex(old) !== withoutIndex(name) && !isTaken(old);
// A new name may hold the old one of another field, and not that of its own: `new_due` on what was `memo`.
const flat = (name) => withoutIndex(name).replaceAll(" ", "");
const SHORTEST_NAME = 3;
const speaksOf = (name, old) => flat(old).length >= SHORTEST_NAME && flat(name).includes(flat(old));
const isAnothers = (name, old, others) => !speaksOf(name, old) && others.some((other) => speaksOf(name, other));
const toldBy = ({ role, type, label }) => [role, type, label].join("\n");

// Fields of the form beside an element that have the recorded name of another one now: under it something else is sent, also
// where nobody touches these fields. [label, name, name now] of each. A form whose names are in the order of then has none,
// nor has one whose names are drawn anew for each page.
function namesMoved(el, was, own) {
  const form = was.length && formOf(el);
  if (!form || was.some((one) => masked(one.name) !== one.name)) return [];
  const names = fieldsIn(form).filter((other) => other !== el).map((other) => attr(other, "name"));
  if (names.length === was.length && was.every((one, at) => one.name === names[at])) return [];
  const told = (one) => [toldBy(one), one.group || "", one.value || ""].join("\n");
  const alone = (list) => new Map(list.filter((one) => one.label && list.filter((other) => told(other) === told(one)).length === 1).map((one) => [told(one), one]));
  const now = alone(fieldsBeside(el) || []);
  // A name that none of them had may come from a field that was out of sight: then that one has the recorded name now.
  const taken = new Set([own, ...was.map((one) => one.name)].filter(Boolean));
  const elsewhere = (name) => !!name && [...(form.elements || [])].some((other) => isField(other) && attr(other, "name") === name);
  const moved = (one, there) => there && there.name !== one.name && (taken.has(there.name) || elsewhere(one.name));
  const pairs = [...alone(was)].map(([key, one]) => [one, now.get(key)]).filter(([one, there]) => moved(one, there));
  return pairs.map(([one, there]) => [one.label, one.name, there.name]);
}

// `every`: where several fields of the form may be renamed, as long as each stands by its label, role and type as recorded.
// What is ticked stands by its group and by what it is sent as, too; and fields of one name have one name still.
function isRenamed(el, { fields, label, called, every = false }, old) {
  const own = attr(el, "name");
  if (!isField(el) || (!every && (el.type === "radio" || roleOf(el) === "radio" || isSecret(el)))) return false;
  if (!(label || called) || labelOf(el) !== label || nameOf(el) !== called || !isNewName(old, own)) return false;
  const now = fieldsBeside(el);
  if (!now || now.length !== fields.length || fields.some((one) => one.name === own)) return false;
  if (isAnothers(own, old, fields.map((one) => one.name))) return false;
  const sorted = (list, key) => list.map(key).sort().join("\r");
  if (!every) return sorted(now, (one) => `${toldBy(one)}\n${one.name}`) === sorted(fields, (one) => `${toldBy(one)}\n${one.name}`);
  const grouped = fields.some((one) => one.group || one.value);
  const told = (one) => toldBy(one) + (grouped ? `\n${one.group || ""}\n${one.value || ""}` : "");
  const kinds = new Map(now.map((one) => [told(one), one]));
  const apart = kinds.size === now.length && !kinds.has(told(fieldEvidence(el))) && now.every((one) => one.label);
  const was = new Set([old, ...fields.map((one) => one.name)]);
  const stays = (one) => {
    const there = kinds.get(told(one));
    return !!there && (one.name === old) === (there.name === own) && (there.name === one.name || (!was.has(there.name) && isNewName(one.name, there.name) && !isAnothers(there.name, one.name, [...was])));
  };
  const pairs = new Set(fields.map((one) => [one.name, kinds.get(told(one))?.name].join("\n")));
  const together = [0, 1].every((side) => new Set([...pairs].map((pair) => pair.split("\n")[side])).size === pairs.size);
  return apart && together && fields.every(stays);
}
