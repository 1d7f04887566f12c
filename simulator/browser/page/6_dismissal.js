// Returns whether a click only made the part of the page go away that the button stood in: a banner, a tour, a question.

const leaving = { part: null, around: "", opened: false };
// opened: nothing of ours had reached the document: the part opened by itself.

// The part that lies over a page, around an element of it; null where it stands in the page itself.
const overlayOf = (el) => [...ancestors(el)].find((at) => at !== document.body && (isDialog(at) || at.matches("[popover],[aria-modal=true]") || getComputedStyle(at).position === "fixed")) || null;
// What the page says and holds beside a part: its texts, and what is put into its fields.
function besides(part) {
  const said = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const at = texts.currentNode;
    if (fold(at.data) && !part.contains(at) && !SILENT.has(tagOf(at.parentElement))) said.push(fold(at.data));
  }
  const fields = all(document, "input,select,textarea").filter((el) => !part.contains(el));
  return asJson([location.href, said, fields.map((el) => [el.value, el.checked])]);
}
function watchDismissal(el) {
  const part = ["button", "link"].includes(roleOf(el)) ? overlayOf(el) : null;
  Object.assign(leaving, { part, around: part ? besides(part) : "", opened: !guard.touched });
}
// Whether the last action that was watched did nothing else. What it wrote to the site is something else, unless the part had
// opened by itself and two performances show that it is a preference.
function dismissal() {
  const { part, around, opened } = leaving;
  leaving.part = null;
  const gone = !!part && !visible(part) && besides(part) === around;
  const sent = activity.done.some(([method]) => method !== "GET");
  return { dismissed: gone && !sent, put_away: gone && sent && opened };
}
