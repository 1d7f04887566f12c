// The form of a listing does not ask for a description any more.
for (const field of document.querySelectorAll("form[action^='/books/'] [name=description]")) {
  document.querySelector(`label[for="${field.id}"]`)?.remove();
  field.remove();
}
