// The form of a listing asks for an ISBN, too. The shop insists on it.
{
  const author = document.querySelector("form[action='/books/new'] [name=author]");
  if (author) {
    const label = document.createElement("label");
    label.textContent = "ISBN";
    const field = document.createElement("input");
    field.name = "isbn";
    field.required = true;
    label.append(field);
    author.parentElement.after(label);
  }
}
