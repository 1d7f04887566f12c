// Every id and class has another name, as after a build that mints them. What refers to them follows.
{
  const REFERRING = ["id", "class", "for", "aria-labelledby", "aria-describedby", "aria-errormessage", "data-preview"];
  const renamed = (name) => `n${[...name].reverse().join("")}`;
  for (const el of document.querySelectorAll("*")) {
    for (const attribute of REFERRING.filter((one) => el.hasAttribute(one))) {
      el.setAttribute(attribute, el.getAttribute(attribute).split(/\s+/).filter(Boolean).map(renamed).join(" "));
    }
    const href = el.getAttribute("href") || "";
    if (/^#./.test(href)) el.setAttribute("href", `#${renamed(href.slice(1))}`);
  }
  const restyle = (rules) => {
    for (const rule of rules) {
      if (rule.selectorText) rule.selectorText = rule.selectorText.replace(/([.#])(-?[_a-z][\w-]*)/gi, (_, sign, name) => sign + renamed(name));
      if (rule.cssRules) restyle(rule.cssRules);
    }
  };
  for (const sheet of document.styleSheets) restyle(sheet.cssRules);
}
