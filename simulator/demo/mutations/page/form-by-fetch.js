// Forms are sent by a script, which puts the answer into the page that is there; the address stays.
for (const form of document.querySelectorAll("main form[method=post]:not([data-save])")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    document.title = page.title;
    document.querySelector("main").replaceChildren(...page.querySelector("main").childNodes);
  });
}
