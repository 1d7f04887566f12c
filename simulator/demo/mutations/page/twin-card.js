// Before every card of a list stands one that says exactly the same and leads to another thing, on the pages whose
// address begins as the query of this script says.
{
  const leads = (item) => [...item.querySelectorAll("[href^='/books/'],[href^='/this-or-that/'],form")];
  const renamed = (el, attribute) => el.hasAttribute(attribute) && el.setAttribute(attribute, `${el.getAttribute(attribute)}-twin`);
  const twin = (item, at, items) => {
    const copy = item.cloneNode(true);
    for (const el of copy.querySelectorAll("*")) for (const attribute of ["id", "aria-labelledby"]) renamed(el, attribute);
    const others = leads(items[(at + 1) % items.length]);
    leads(copy).forEach((el, place) => {
      const attribute = el.matches("form") ? "action" : "href";
      const other = others[place]?.getAttribute(attribute);
      if (other) el.setAttribute(attribute, other);
    });
    item.before(copy);
  };
  const here = location.pathname.startsWith(new URL(document.currentScript.src).searchParams.get("on"));
  const items = here ? [...document.querySelectorAll("main li")].filter((item) => item.querySelector("article")) : [];
  items.forEach(twin);
}
