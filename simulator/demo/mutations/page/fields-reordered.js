// The fields of every form stand in the opposite order.
for (const form of document.querySelectorAll("main form")) {
  const blocks = [...form.children].filter((el) => el.matches("div,fieldset") && el.querySelector("input,select,textarea"));
  const places = blocks.map((block) => {
    const place = document.createComment("");
    block.replaceWith(place);
    return place;
  });
  blocks.reverse().forEach((block, at) => places[at].replaceWith(block));
}
