// Labels, links and buttons say the same in other words; ids and names are as they were. A button that has neither keeps its
// words: nothing would be left to know it by.
{
  const WORDS = {
    Username: "Reader name", "Display name": "Name that others see", "E-mail": "Mail address", Password: "Secret phrase",
    "Repeat password": "Secret phrase once more", "Town or city": "Where you live", "I accept the": "I agree to the", "Create account": "Join the shop",
    "Username or e-mail": "Reader name or mail address", "Log in": "Sign in", Title: "Name of the book", Author: "Written by", Genre: "Kind of book",
    "Price in pounds": "Asking price (GBP)", Description: "About this copy", "Cover picture": "Photo of the front", "Put it up for sale": "Offer this book",
    New: "Never read", "Like new": "As if new", Good: "Well kept", Fair: "Used", Worn: "Well loved", Edit: "Change", Delete: "Withdraw",
    "Save changes": "Update the offer", Save: "Keep for later", "Send message": "Post the letter", "First book": "The one", "Second book": "The other",
    "Start the matchup": "Open the vote",
  };
  const BEGINNINGS = { "Message to": "A letter for", "Vote for": "I prefer" };
  const texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const text = texts.currentNode;
    if (!text.parentElement.closest("label,button,a,legend")) continue;
    if (text.parentElement.closest("button:not([id],[name])")) continue;
    const said = text.data.trim();
    const begins = Object.keys(BEGINNINGS).find((one) => said.startsWith(`${one} `));
    if (said in WORDS) text.data = text.data.replace(said, WORDS[said]);
    else if (begins) text.data = text.data.replace(begins, BEGINNINGS[begins]);
  }
}
