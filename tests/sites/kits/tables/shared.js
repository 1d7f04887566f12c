const things = async () => (await fetch("/api/things")).json();
const button = (id) => `<button onclick="like(${id})">Like</button>`;
async function like(id) {
  await fetch(`/api/things/${id}/like`, { method: "POST" });
  reload();
}
