// The form that is filled in stands in a dialog, open when the page comes; a modal one where nothing else is to be done.
{
  const forms = [...document.querySelectorAll("main form[method=post]")];
  for (const form of forms.filter((one) => one.querySelector("input:not([type=hidden]),select,textarea"))) {
    const dialog = document.createElement("dialog");
    dialog.setAttribute("aria-label", document.querySelector("h1").textContent);
    form.replaceWith(dialog);
    dialog.append(form);
    if (forms.length === 1) dialog.showModal();
    else {
      dialog.show();
      dialog.style.position = "static";
    }
  }
}
