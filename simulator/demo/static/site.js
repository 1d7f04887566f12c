// Enhances two forms that also work without it: the cover's preview and saving a book in place.

for (const input of document.querySelectorAll("input[data-preview]")) {
  const image = document.getElementById(input.dataset.preview);
  input.addEventListener("change", () => {
    if (image.src) URL.revokeObjectURL(image.src);
    const file = input.files[0];
    image.hidden = !file;
    if (file) image.src = URL.createObjectURL(file);
    else image.removeAttribute("src");
  });
}

for (const form of document.querySelectorAll("form[data-save]")) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    const body = new URLSearchParams(new FormData(form));
    button.disabled = true;
    try {
      const response = await fetch(form.action, {
        method: "POST",
        headers: { Accept: "application/json" },
        body,
      });
      if (response.redirected || !response.ok) {
        location.reload(); // logged out, withdrawn or expired: the page itself tells
        return;
      }
      const { saved, count } = await response.json();
      button.textContent = saved ? "Saved" : "Save";
      button.setAttribute("aria-pressed", String(saved));
      form.elements.saved.value = saved ? "0" : "1";
      const counter = form.parentElement.querySelector("[data-save-count]");
      if (counter) counter.textContent = `${count} ${count === 1 ? "reader has" : "readers have"} saved this book`;
    } finally {
      button.disabled = false;
    }
  });
}
