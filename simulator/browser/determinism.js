// What varies from one visit to the next of its own accord, held still: chance, and the time of day.
// "held" is what the program says: {chance, frozen}.

// Time passes by the page's own timers, each by as long as it was set for, so that what waits for a span to be over
// sees it over. What asks for the time again and again in one go is waiting for it, too.
const PATIENCE = 5000; // questions in one go
if (held.frozen) {
  const Still = window.Date;
  let passed = 0;
  let asked = 0;
  const time = () => {
    if (++asked > PATIENCE) passed++;
    return Still.now() + passed;
  };
  window.Date = new Proxy(Still, {
    apply: () => new Still(time()).toString(),
    construct: (target, given, as) => Reflect.construct(target, given.length ? given : [time()], as === window.Date ? target : as),
    get: (target, name) => (name === "now" ? time : Reflect.get(target, name)),
  });
  Still.prototype.constructor = window.Date;
  for (const name of ["setTimeout", "setInterval"]) {
    window[name] = new Proxy(window[name], {
      apply(target, self, [work, delay, ...rest]) {
        if (typeof work !== "function") return Reflect.apply(target, self, [work, delay, ...rest]);
        const wait = Math.max(0, Number(delay) || 0);
        let due = passed + wait;
        const late = function (...given) {
          asked = 0;
          passed = Math.max(passed, due);
          due = passed + wait;
          return Reflect.apply(work, this, given);
        };
        return Reflect.apply(target, self, [late, delay, ...rest]);
      },
    });
  }
}

// Each document draws from a stream of its own, or the second would draw the identifiers of the first: the documents of
// one path are counted where all windows of the site see it. A page that clears everything leaves the count.
if (held.chance) {
  const MARK = "__sim";
  const count = () => {
    try {
      const paths = JSON.parse(localStorage.getItem(MARK) || "{}");
      const times = (paths[location.pathname] || 0) + 1;
      localStorage.setItem(MARK, JSON.stringify({ ...paths, [location.pathname]: times }));
      return times;
    } catch {
      return 0; // a document without an origin has no store
    }
  };
  Storage.prototype.clear = new Proxy(Storage.prototype.clear, {
    apply(target, self, args) {
      const kept = self.getItem(MARK);
      Reflect.apply(target, self, args);
      if (kept !== null) self.setItem(MARK, kept);
    },
  });
  // The text's hash (FNV-1a, 32 bits) begins the generator; one for each word of its state.
  const hash = (text, from) => {
    let sum = from;
    for (let at = 0; at < text.length; at++) sum = Math.imul(sum ^ text.charCodeAt(at), 16777619);
    return sum ^ (sum >>> 15);
  };
  let state = null;
  // sfc32, as in PractRand.
  const word = () => {
    if (!state) {
      const text = `${held.chance}|${location.origin}${location.pathname}|${count()}`;
      state = [2166136261, 3266489917, 668265263, 374761393].map((from) => hash(text, from) | 0);
      for (let warm = 0; warm < 15; warm++) word();
    }
    const [a, b, c, counter] = state;
    const drawn = (((a + b) | 0) + counter) | 0;
    state = [b ^ (b >>> 9), (c + (c << 3)) | 0, (((c << 21) | (c >>> 11)) + drawn) | 0, (counter + 1) | 0];
    return drawn >>> 0;
  };
  const fill = (bytes) => {
    for (let at = 0; at < bytes.length; at++) bytes[at] = word() & 255;
  };
  Math.random = new Proxy(Math.random, { apply: () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992 });
  const { getRandomValues, randomUUID } = Crypto.prototype;
  Crypto.prototype.getRandomValues = new Proxy(getRandomValues, {
    apply(target, self, args) {
      const array = Reflect.apply(target, self, args); // which says what it does not take
      fill(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
      return array;
    },
  });
  if (randomUUID) {
    Crypto.prototype.randomUUID = new Proxy(randomUUID, {
      apply() {
        const bytes = new Uint8Array(16);
        fill(bytes);
        bytes[6] = (bytes[6] & 15) | 64;
        bytes[8] = (bytes[8] & 63) | 128;
        const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
        return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
      },
    });
  }
}
