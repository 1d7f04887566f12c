// The page asks the shop for news all the time, and shows them.
{
  const news = document.createElement("p");
  document.querySelector("footer").append(news);
  setInterval(async () => {
    const answer = await fetch("/_mutations/news").catch(() => null);
    if (answer?.ok) news.textContent = await answer.text();
  }, 100);
}
