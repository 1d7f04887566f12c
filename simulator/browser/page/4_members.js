// Members of one widget that are all alike, such as the stars of a rating: each is known by its place in the group, as far as
// pressing it sets a field of the form, which is read afterwards. Cards that repeat are no such members.

const MOST_MEMBERS = 11;
const MEMBER_LEVELS = 3;
const UNLIKE = "a[href],area[href],[data-value],[value]:not(li),li[value],[title],[id=''],[aria-posinset],input,select,textarea,h1,h2,h3,h4,h5,h6,p,time,ul,ol,table";
// A star that is filled and one that is not are drawn by other signs; words and numbers are a member's own.
const inLetters = (text) => (text.match(/[\p{L}\p{N}]+/gu) || []).join(" ");
const saysAlike = (el) => [tagOf(el), roleOf(el), inLetters(nameOf(el)), inLetters(el.textContent), el.querySelectorAll("*").length].join("\n");
const likenessOf = (el) => [el, ...all(el, "*")].map((at) => (at.ownerSVGElement ? "" : pictureOf(at))).filter(Boolean).join(" ");
// The members of the group that an element stands in, in the order of the page; empty where it is in none.
function groupOf(el) {
  for (let at = el, level = 0; at.parentElement && level < MEMBER_LEVELS; at = at.parentElement, level++) {
    const members = [...at.parentElement.children].filter((other) => tagOf(other) === tagOf(at) && visible(other));
    if (members.length < 2) continue;
    if (members.length > MOST_MEMBERS || at.matches("form,tr,article,section")) return [];
    const plain = members.every((one) => !one.matches(UNLIKE) && !one.querySelector(UNLIKE) && saysAlike(one) === saysAlike(at));
    // Of pictures there are two at most, as of stars that are filled and those that are not: with two members, one.
    const looks = new Set(members.map(likenessOf)).size;
    return plain && looks <= (members.length > 2 ? 2 : 1) && fold(at.textContent).length <= 2 ? members : [];
  }
  return [];
}
// What a group is for: its own name, or the text before it.
function groupName(group) {
  const box = group[0].parentElement;
  const name = nameOf(box);
  if (name) return cut(name, 120);
  for (let at = box, hops = 0; hops < 2 && at && !at.matches("form,body"); at = at.parentElement, hops++) {
    const [text, ends] = textBeside(at, "previousSibling");
    if (text) return cut(text, 120);
    if (ends) break;
  }
  return "";
}
function memberOf(el) {
  const whole = parentOf(el) && closest(parentOf(el), "a[href],button,[role=button],[role=link]");
  const group = formOf(el) && !isField(el) && !whole ? groupOf(el) : [];
  const place = group.findIndex((one) => holds(one, el));
  return place < 0 ? { member: "", group: "" } : { member: `${place + 1} of ${group.length}`, group: groupName(group) };
}

// The fields of the form around the element that was acted on last: what a member sets is one of them.
const setting = { form: null, before: new Map() };
const setIn = (form) => new Map([...(form.elements || [])].filter((el) => el.name && el.matches("input,select") && !isSecret(el) && el.type !== "file").map((el) => [el, [el.value, !!el.checked].join()]));
function watchSetting(el) {
  const form = memberOf(el).member ? formOf(el) : null;
  Object.assign(setting, { form, before: form ? setIn(form) : new Map() });
}
// Which field of the form holds something else by now, and what: null where none does, or more than one.
const LONGEST_SET = 40;
function whatWasSet() {
  const { form, before } = setting;
  if (!form?.isConnected) return null;
  const changed = [...setIn(form)].filter(([el, held]) => before.get(el) !== held);
  const set = changed.map(([el]) => [el.name, el.type === "radio" || el.type === "checkbox" ? String(el.checked && el.value) : el.value]).filter(([, value]) => value !== "false");
  return set.length === 1 && set[0][1].length <= LONGEST_SET ? set[0] : null;
}
