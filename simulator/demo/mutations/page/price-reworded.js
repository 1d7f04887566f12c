// The label of the price says the same in other words.
for (const label of document.querySelectorAll("label")) {
  if (label.textContent === "Price in pounds") label.textContent = "Asking price in pounds";
}
