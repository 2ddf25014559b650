/** Filters and copy buttons. The report is complete without them. */
export const script = `
const byId = (id) => document.getElementById(id);
const wordsIn = (id) => byId(id).value.toLowerCase().split(/\\s+/).filter(Boolean);
const matches = (text, words) => words.every((word) => text.includes(word));
const cards = [...document.querySelectorAll("#list > *")].map((card) => ({ card, text: card.textContent.toLowerCase() }));
const tiles = [...document.querySelectorAll(".tile")];
function show() {
  const wanted = wordsIn("filter");
  const chosen = new Set(tiles.filter((tile) => tile.getAttribute("aria-pressed") === "true").map((tile) => tile.dataset.group));
  let visible = 0;
  for (const { card, text } of cards) {
    card.hidden = (chosen.size > 0 && !chosen.has(card.dataset.group)) || !matches(text, wanted);
    if (!card.hidden) visible += 1;
  }
  byId("shown").textContent = visible + " of " + cards.length;
  byId("none").hidden = visible > 0 || cards.length === 0;
}
if (byId("filter")) byId("filter").addEventListener("input", show);
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
