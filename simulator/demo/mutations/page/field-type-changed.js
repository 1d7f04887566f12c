// The price of a listing is a text, not a number.
for (const field of document.querySelectorAll("form[action^='/books/'] [name=price]")) field.type = "text";
