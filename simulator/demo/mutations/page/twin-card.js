// Before every card of a list stands one that says exactly the same and leads to another thing.
for (const list of new Set([...document.querySelectorAll("main li > article")].map((card) => card.parentElement.parentElement))) {
  const items = [...list.children];
  const leads = (item) => [...item.querySelectorAll("[href^='/books/'],[href^='/this-or-that/'],form")];
  items.forEach((item, at) => {
    const twin = item.cloneNode(true);
    for (const el of twin.querySelectorAll("[id],[aria-labelledby]")) {
      for (const attribute of ["id", "aria-labelledby"].filter((one) => el.hasAttribute(one))) el.setAttribute(attribute, `${el.getAttribute(attribute)}-twin`);
    }
    const others = leads(items[(at + 1) % items.length]);
    leads(twin).forEach((el, place) => {
      const attribute = el.matches("form") ? "action" : "href";
      const other = others[place]?.getAttribute(attribute);
      if (other) el.setAttribute(attribute, other);
    });
    item.before(twin);
  });
}
