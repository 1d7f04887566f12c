// What goes wrong in the page's own scripts: what none of them caught, and what they write to the console as an error.

const ERRORS = 5; // of one document; a script that fails in a loop says nothing new
const wentWrong = [];
const errorsOf = () => wentWrong.map((text) => `console: ${text}`);

function wordsOf(thing) {
  if (typeof thing === "string") return thing;
  // Only what is an error without asking: whatever else a page hands over may run code when it is looked at.
  return thing instanceof Error ? `${thing.name}: ${thing.message}` : "";
}
function goesWrong(things) {
  const text = cut(fold(things.map(wordsOf).filter(Boolean).join(" ")), 200);
  if (text && wentWrong.length < ERRORS && !wentWrong.includes(text)) wentWrong.push(text);
}

// An image that does not load is an event too, one without a message.
listen(window, "error", (event) => goesWrong([event.message || ""]));
listen(window, "unhandledrejection", (event) => goesWrong(["Uncaught (in promise)", event.reason]));
console.error = new Proxy(console.error, {
  apply(target, self, args) {
    goesWrong([...args]);
    return Reflect.apply(target, self, args);
  },
});
