/** Filters and copy buttons. The report is complete without them. */
export const script = `
const cards = [...document.querySelectorAll("#list > *")].map((card) => ({ card, text: card.textContent.toLowerCase() }));
const words = document.getElementById("filter");
const tiles = [...document.querySelectorAll(".tile")];
function show() {
  const wanted = words.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const chosen = new Set(tiles.filter((tile) => tile.getAttribute("aria-pressed") === "true").map((tile) => tile.dataset.group));
  let visible = 0;
  for (const { card, text } of cards) {
    const matches = (chosen.size === 0 || chosen.has(card.dataset.group)) && wanted.every((word) => text.includes(word));
    card.hidden = !matches;
    if (matches) visible += 1;
  }
  document.getElementById("shown").textContent = visible + " of " + cards.length;
  document.getElementById("none").hidden = visible > 0 || cards.length === 0;
}
if (words) words.addEventListener("input", show);
for (const tile of tiles) {
  tile.addEventListener("click", () => {
    tile.setAttribute("aria-pressed", String(tile.getAttribute("aria-pressed") !== "true"));
    show();
  });
}
for (const button of document.querySelectorAll(".copy")) {
  button.addEventListener("click", async () => {
    const code = button.previousElementSibling;
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "Selected";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  });
}
`;
