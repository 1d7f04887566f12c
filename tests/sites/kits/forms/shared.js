const KINDS = ["Tool", "Book", "Boat"], FIELDS = ["title", "kind", "lent", "count", "note"];
const blank = () => ({ id: 0, title: "", kind: undefined, lent: false, count: 1, note: "" });
const ask = async (method, path, body) =>
  (await fetch(`/api/things${path}`, { method, headers: { "content-type": "application/json" }, body: body && JSON.stringify(body) })).json();
const things = () => ask("GET", "");
const keep = ({ id, ...one }) => (id ? ask("PUT", `/${id}`, one) : ask("POST", "", one));
const drop = (id) => ask("DELETE", `/${id}`);
// The options of an application of Vue.
const app = (columns) => ({
  data: () => ({ rows: [], open: false, one: blank(), kinds: KINDS, columns }),
  methods: {
    async load() { this.rows = await things(); },
    make() { [this.one, this.open] = [blank(), true]; },
    edit(row) { [this.one, this.open] = [{ ...row }, true]; },
    async save() { await keep(this.one); this.open = false; this.load(); },
    async remove({ id }) { await drop(id); this.load(); },
  },
  mounted() { this.load(); },
});
