// What is at the end of links that are called as a file which a user uploaded: its size, and a sum over its bytes, to distinguish
// that file from another one. What a link does is not known before it is asked for: only one is that says the name of the
// file and nothing else but a size, or that offers it for download. Not responsible for: comparing (Python does).

const FILES_MS = 3000;
const FILES_MOST = 6; // links of a document that are asked for
const FILES_BYTES = 8_000_000;
const FILE_SIZE = /^\d*(?:[kmg]i?)?(?:b|bytes?)?$/;
const fileSums = new Map(); // by absolute address, for the next reading alone; "gone" where there is none, empty where nothing is known

const SUMS = Uint32Array.from({ length: 256 }, (_, at) => {
  let sum = at;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum >>> 0;
});

// Names come without signs and case, as asCalled gives them. A link that says none of the dot before an ending is no file:
// "Logout" is not log.out.
function filesNamed(names) {
  if (!names.length) return [];
  const says = (text) => {
    const called = asCalled(text);
    if (!/[^\s.]\.[\p{L}\p{N}]/u.test(text)) return false;
    return names.some((name) => called.startsWith(name) && FILE_SIZE.test(called.slice(name.length)));
  };
  const isOffered = (el) => el.hasAttribute("download") && (says(attr(el, "download")) || says(decoded(el.pathname.split("/").pop())));
  const isOne = (el) => el.origin === location.origin && (says(fold(el.textContent)) || isOffered(el)) && visible(el);
  return all(document, "a[href]").filter(isOne).slice(0, FILES_MOST);
}
// The addresses that are asked for, to read all files of some names.
const filesAsked = (names) => [...new Set(filesNamed(names).map((el) => el.href))];
async function sumFiles(addresses) {
  await Promise.all(addresses.map(async (address) => fileSums.set(address, await sumOf(address))));
}
async function sumOf(address) {
  try {
    const answer = await nativeFetch(address, { cache: "no-store", credentials: "same-origin", signal: AbortSignal.timeout(FILES_MS) });
    if (answer.status === 404 || answer.status === 410) return "gone";
    // A page about the file is not the file.
    if (!answer.ok || (answer.headers.get("content-type") || "").includes("html")) return "";
    let size = 0;
    let sum = 0xffffffff;
    for await (const bytes of answer.body) {
      size += bytes.length;
      if (size > FILES_BYTES) return ""; // what leaves the loop ends the answer
      for (let at = 0; at < bytes.length; at++) sum = (sum >>> 8) ^ SUMS[(sum ^ bytes[at]) & 0xff];
    }
    return `${size} ${((sum ^ 0xffffffff) >>> 0).toString(16).padStart(8, "0")}`;
  } catch {
    return ""; // it leads to another host, the site has gone, or lets no script ask
  }
}
