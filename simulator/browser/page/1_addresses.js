// The shapes of addresses.

// What sites mint, by the patterns of `simulator.canonical`; a group of one is what stays of it.
const GENERATED = generatedPatterns.map((pattern) => new RegExp(`^(?:${pattern})$`));
function masked(part) {
  for (const pattern of GENERATED) {
    const found = pattern.exec(part);
    if (found) return `${found[1] || ""}{id}`;
  }
  return part;
}

// The shape of an address: what stays the same between two visits. `simulator.canonical.url_shape` is its twin.
function shapeOf(address) {
  let url;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    return cut(address, 200);
  }
  if (!/^https?:$/.test(url.protocol)) return cut(address, 200);
  const hash = url.hash.slice(1);
  const [, mark, route] = HASH_ROUTE.exec(hash) || [];
  const place = route ? mark + pathShape(...split(route, "?")) : masked(hash) === hash ? hash : "";
  const host = url.origin === location.origin ? "" : url.origin;
  return host + pathShape(url.pathname, url.search.slice(1)) + (place ? `#${place}` : "");
}
// A fragment that is the address of a part of an application.
const HASH_ROUTE = /^(!?)(\/(?!\/).*)$/s;
const split = (text, sign) => {
  const at = text.indexOf(sign);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
};
function pathShape(path, search) {
  const query = search
    .split("&")
    .filter(Boolean)
    .map((pair) => {
      const at = pair.indexOf("=");
      return at < 0 ? pair : pair.slice(0, at + 1) + masked(pair.slice(at + 1));
    })
    .sort()
    .join("&");
  return path.split("/").map(masked).join("/") + (query ? `?${query}` : "");
}
