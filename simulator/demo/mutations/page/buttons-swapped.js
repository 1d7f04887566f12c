// Of every two buttons or links side by side each stands where the other was, and neither has an id or a class.
{
  const swapped = new Set();
  for (const first of document.querySelectorAll("a,button")) {
    const second = first.nextElementSibling;
    if (!second?.matches("a,button") || swapped.has(first)) continue;
    for (const el of [first, second]) {
      swapped.add(el);
      el.removeAttribute("id");
      el.removeAttribute("class");
    }
    second.after(first);
  }
}
