// On a phone the article stands at the sentences, and what else is beside the form follows it. The
// elements move, so that what is read out and reached by keys has the order that is seen.
const NARROW = matchMedia("(max-width: 43.99rem)");

export function placeArticle() {
  const [side, here] = [document.querySelector(".desk-side"), document.querySelector("#article-here")];
  const text = side?.querySelector(".article > details");
  if (!text || !here) return;
  const [aside, desk] = [text.parentElement, side.parentElement];
  const move = () => {
    if (NARROW.matches) { here.append(text); desk.append(side); }
    else { aside.prepend(text); desk.prepend(side); }
  };
  move();
  NARROW.addEventListener("change", move);
}
