// Buttons that send a form work only some time after the page has come.
{
  const buttons = [...document.querySelectorAll("main form button")].filter((button) => !button.disabled);
  for (const button of buttons) button.disabled = true;
  setTimeout(() => buttons.forEach((button) => (button.disabled = false)), 400);
}
