// Before each button that sends a form stand two others: one of the same form that says more and does something else,
// and one of the very same name in a form that leads elsewhere.
for (const button of document.querySelectorAll("main form[method=post] button")) {
  const { form } = button;
  const elsewhere = document.createElement("form");
  elsewhere.method = "post";
  elsewhere.setAttribute("action", "/_mutations/decoy");
  const token = form.querySelector("[name=csrf_token]");
  const twin = button.cloneNode(true);
  elsewhere.append(token.cloneNode(true), twin);
  form.before(elsewhere);
  // The shop's own script takes the first button of a form that saves in place.
  if (form.hasAttribute("data-save")) continue;
  const more = button.cloneNode(true);
  more.textContent = `${button.textContent.trim()} and subscribe`;
  more.setAttribute("formaction", "/_mutations/decoy");
  button.before(more);
}
