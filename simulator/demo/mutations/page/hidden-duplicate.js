// Before every form stands the same form once more, hidden: the one for another size of the window.
for (const form of document.querySelectorAll("main form")) {
  const twin = form.cloneNode(true);
  twin.style.display = "none";
  for (const el of [twin, ...twin.querySelectorAll("*")]) {
    for (const attribute of ["id", "for", "aria-describedby", "data-preview"].filter((one) => el.hasAttribute(one))) {
      el.setAttribute(attribute, el.getAttribute(attribute).split(" ").map((name) => `${name}-narrow`).join(" "));
    }
  }
  form.before(twin);
}
