// The cards of every list stand in the opposite order.
{
  const CARD = "li,article";
  for (const list of new Set([...document.querySelectorAll("main li,main article")].map((card) => card.parentElement))) {
    const cards = [...list.children].filter((el) => el.matches(CARD));
    const places = cards.map((card) => {
      const place = document.createComment("");
      card.replaceWith(place);
      return place;
    });
    cards.reverse().forEach((card, at) => places[at].replaceWith(card));
  }
}
