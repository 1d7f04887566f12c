// In the form of a listing the field of the title is called "Author", and that of the author "Title".
for (const title of document.querySelectorAll("form[action^='/books/'] [name=title]")) {
  const author = title.form.elements.author;
  [title.labels[0].textContent, author.labels[0].textContent] = [author.labels[0].textContent, title.labels[0].textContent];
}
