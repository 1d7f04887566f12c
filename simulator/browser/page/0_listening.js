// What is heard of a document. One that is opened anew, as the editors of texts do in their frames, takes all listeners
// off itself and its window: ours are put back, before anybody else's.

const listening = [];
function listen(target, type, heard, options) {
  listening.push([target, type, heard, options]);
  target.addEventListener(type, heard, options);
}
const addListener = EventTarget.prototype.addEventListener;
// One that is still there is not added twice.
const listenAgain = () => listening.forEach(([target, ...what]) => Reflect.apply(addListener, target, what));
// What is written into a document that has been read opens it anew, too.
for (const name of ["open", "write", "writeln"]) {
  Document.prototype[name] = new Proxy(Document.prototype[name], {
    apply(target, self, args) {
      const anew = self === document && (name === "open" || document.readyState !== "loading");
      try {
        return Reflect.apply(target, self, args);
      } finally {
        if (anew) listenAgain();
      }
    },
  });
}
