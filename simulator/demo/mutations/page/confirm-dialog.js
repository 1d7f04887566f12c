// Before a message is sent or a matchup started, the browser asks whether one means it.
for (const form of document.querySelectorAll("main form:is([action$='/message'],[action='/this-or-that/new'])")) {
  form.addEventListener("submit", (event) => {
    if (!confirm("Are you sure?")) event.preventDefault();
  });
}
