// Around every form, field, button, link and heading are two elements more.
for (const el of document.querySelectorAll("main :is(form,input:not([type=hidden]),select,textarea,button,a,h1,h2,h3,article)")) {
  const tag = el.matches("form,article,h1,h2,h3") ? "div" : "span";
  const [outer, inner] = [document.createElement(tag), document.createElement(tag)];
  el.replaceWith(outer);
  outer.append(inner);
  inner.append(el);
}
