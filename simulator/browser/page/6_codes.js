// Codes that a page shows: order numbers, one-time codes, names of files. What a site has generated and a user may have to
// give back is known again by the words before it. Not responsible for: which of them anybody gives back.

const CODE = /[\p{L}\p{N}]+(?:[-_.][\p{L}\p{N}]+)*/gu;
const MAX_CODES = 200;
// Letters and digits, or many digits, or many capitals; neither a word, nor a price, nor a year.
const isCode = (token) =>
  token.length <= 64 &&
  ((token.length >= 4 && /\d/.test(token) && /\p{L}/u.test(token)) || /^\d{5,}$/.test(token) || /^(?:\d+-)+\d+$/.test(token) || /^[A-Z]{6,}$/.test(token));
// A measure, such as the 200px of a picture.
const MEASURE = /^\d+(?:\.\d+)?(?:px|em|rem|pt|vh|vw|dpi|ms|min|[kmgt]i?b|[kcm]?m|kg|x\d+(?:px)?)$/i;
// What stands in the syntax of a language, or beside a field to say how it is filled in, is nothing that the site has generated.
const SYNTAX = /[|={}<>&\\]/;
const isSyntax = (text, at, length) => SYNTAX.test(text.slice(Math.max(0, at - 1), at)) || SYNTAX.test(text.slice(at + length, at + length + 1));
const HELPS = "label,legend,.help-block,.helptext,.form-text,.oo-ui-fieldLayout-help,.htmlform-tip,[class*='FormHelperText'],.mat-mdc-form-field-hint";
const isHelp = (el) => !!closest(el, HELPS) || [el, ...[...ancestors(el)].slice(0, 2)].some((at) => attr(at, "id") && all(document, `[aria-describedby~="${CSS.escape(attr(at, "id"))}"]`).some((field) => field.matches(FIELDS)));
const carries = (node, match) => refusalsVersion < 2 || !(MEASURE.test(match[0]) || isSyntax(node.data, match.index, match[0].length));
const UNREAD = "script,style,template,noscript,textarea,select,option,title";

// The words before a place in a text, up to the first that holds a digit.
function lastWords(text) {
  const words = fold(text).split(" ");
  const told = [];
  for (let at = words.length - 1; at >= 0 && told.length < 5 && !/\d/.test(words[at]); at--) told.unshift(words[at]);
  return told.join(" ");
}

// What stands before a code: in its own text, else in what comes before it in the parts of the page around it.
function wordsBefore(node, text) {
  let found = lastWords(text);
  for (let at = node, hops = 0; at && !/\p{L}{2}/u.test(found) && hops < 4; at = at.parentElement, hops++) {
    for (let near = at.previousSibling; near && !/\p{L}{2}/u.test(found); near = near.previousSibling) {
      const skipped = near.nodeType !== 3 && (near.nodeType !== 1 || near.matches(UNREAD) || !visible(near));
      if (!skipped) found = lastWords(`${near.textContent} ${found}`);
    }
  }
  return found;
}

function codes() {
  const found = [];
  if (!document.documentElement) return found;
  const walker = document.createTreeWalker(document.body || document.documentElement, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node && found.length < MAX_CODES; node = walker.nextNode()) {
    if (!/\d|[A-Z]{6}/.test(node.data)) continue;
    const matches = [...node.data.matchAll(CODE)].filter((match) => isCode(match[0]) && carries(node, match));
    if (!matches.length || node.parentElement.closest(UNREAD) || !visible(node.parentElement) || (refusalsVersion > 1 && isHelp(node.parentElement))) continue;
    found.push(...matches.map((match) => [match[0], wordsBefore(node, node.data.slice(0, match.index))]));
  }
  return found;
}
