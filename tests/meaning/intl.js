// Writes values as browsers write them, in the locale and by the options that stand beside each; one line of JSON in, one out.
const jobs = JSON.parse(require("fs").readFileSync(0, "utf8"));
const write = ([how, locale, options, value]) =>
  how === "number" ? new Intl.NumberFormat(locale, options).format(value)
  : how === "parts" ? new Intl.DateTimeFormat(locale, options).formatToParts(new Date(value)).map(part => [part.type, part.value])
  : new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }).format(new Date(value));
process.stdout.write(JSON.stringify(jobs.map(write)));
