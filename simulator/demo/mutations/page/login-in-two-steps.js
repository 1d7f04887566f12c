// Who logs in is asked for the username first, and for the password when that is given.
for (const form of document.querySelectorAll("main form[action='/account/login']")) {
  const block = (name) => [...form.children].find((el) => el.querySelector(`[name=${name}]`));
  const send = form.querySelector("button");
  const next = document.createElement("button");
  next.type = "button";
  next.textContent = "Continue";
  const put = (el, shown) => (el.style.display = shown ? "" : "none");
  const show = (second) => {
    for (const el of [block("username"), next]) put(el, !second);
    for (const el of [block("password"), send]) put(el, second);
  };
  next.addEventListener("click", () => show(true));
  send.before(next);
  show(false);
}
