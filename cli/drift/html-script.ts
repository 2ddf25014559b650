/** The report's script: filters and copy buttons. The report is complete without it. */
export const script = `
"use strict";
const cards = [...document.querySelectorAll("#list > *")].map((card) => ({ card, text: card.textContent.toLowerCase() }));
const filter = document.getElementById("filter");
const tiles = [...document.querySelectorAll(".tile")];
function show() {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const chosen = new Set(tiles.filter((tile) => tile.getAttribute("aria-pressed") === "true").map((tile) => tile.dataset.status));
  let visible = 0;
  for (const { card, text } of cards) {
    const matches = (chosen.size === 0 || chosen.has(card.dataset.status)) && words.every((word) => text.includes(word));
    card.hidden = !matches;
    if (matches) visible += 1;
  }
  document.getElementById("count").textContent = visible + " of " + cards.length;
  document.getElementById("nothing").hidden = visible > 0 || cards.length === 0;
}
filter.addEventListener("input", show);
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
