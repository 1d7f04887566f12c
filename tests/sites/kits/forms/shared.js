const KINDS = ["Tool", "Book", "Boat"], FIELDS = ["title", "kind", "lent", "count", "note"];
const blank = () => ({ id: 0, title: "", kind: undefined, lent: false, count: 1, note: "" });
const ask = async (method, path, body) =>
  (await fetch(`/api/things${path}`, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) })).json();
const things = () => ask("GET", "");
const keep = ({ id, ...one }) => (id ? ask("PUT", `/${id}`, one) : ask("POST", "", one));
const drop = (id) => ask("DELETE", `/${id}`);
