// Over every page lies a question about cookies, until it has been answered.
if (!localStorage.getItem("cookies")) {
  const banner = document.createElement("div");
  banner.id = "cookie-banner";
  banner.setAttribute("role", "dialog");
  banner.setAttribute("aria-label", "Cookies");
  Object.assign(banner.style, { position: "fixed", inset: "0", zIndex: "1000", background: "#000c", color: "#fff", padding: "20vh 20vw" });
  banner.append("We use cookies. ");
  for (const answer of ["Accept all", "Only necessary"]) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = answer;
    button.addEventListener("click", () => {
      localStorage.setItem("cookies", answer);
      banner.remove();
    });
    banner.append(button);
  }
  document.body.append(banner);
}
