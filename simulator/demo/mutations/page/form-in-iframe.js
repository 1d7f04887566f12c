// The form that is filled in stands in a frame, and still leads the whole window on.
{
  const form = [...document.querySelectorAll("main form[method=post]")].find((one) => one.querySelector("input:not([type=hidden]),select,textarea"));
  if (form && window.top === window) {
    const frame = document.createElement("iframe");
    frame.src = location.href;
    frame.title = document.querySelector("h1").textContent;
    frame.width = "100%";
    frame.height = "900";
    form.replaceWith(frame);
  } else if (form) {
    form.target = "_top";
    document.body.replaceChildren(form);
  }
}
