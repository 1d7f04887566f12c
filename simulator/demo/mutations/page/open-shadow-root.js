// Every form that is sent is inside the open shadow root of a component. Saving in place stays as it is: the shop's own
// script would not find it there.
for (const form of document.querySelectorAll("main form[method=post]:not([data-save])")) {
  const host = document.createElement("shop-form");
  form.replaceWith(host);
  const root = host.attachShadow({ mode: "open" });
  const styles = [...document.querySelectorAll("link[rel=stylesheet]")].map((link) => link.cloneNode());
  root.append(...styles, form);
}
