import { variants } from "./variants.mjs";

const colours = ["#8a8f98", "#b8bcc4", "#2563eb", "#7c3aed", "#059669", "#dc2626", "#d97706"];
const [width, height, left, right, top, bottom] = [760, 420, 60, 200, 40, 50];

/**
 * Seconds of `pulumi up` by number of resources, one line per variant.
 * @param {import("./report.mjs").Medians} table
 */
export function plot(table) {
  // The setting with more measured sizes; on a tie, without checkpoints.
  const checkpoints = table.sizes(true, 0, "ours-dynamic").length > table.sizes(false, 0, "ours-dynamic").length;
  const slow = table.latencies(checkpoints).includes(20);
  const lines = Object.entries(variants)
    .map(([name, { title, callsPlatform }], index) => {
      const latencyMs = callsPlatform && slow ? 20 : 0;
      const points = table.sizes(checkpoints, latencyMs).flatMap((size) => {
        const row = table.get({ variant: name, size, latencyMs, checkpoints, operation: "up" });
        return row ? [{ size, seconds: row.seconds }] : [];
      });
      return { title, points, colour: colours[index % colours.length] ?? "#000" };
    })
    .filter(({ points }) => points.length > 0);
  const all = lines.flatMap(({ points }) => points);
  const most = Math.max(1, ...all.map(({ size }) => size));
  const longest = niceCeiling(Math.max(1, ...all.map(({ seconds }) => seconds)));
  const x = (/** @type {number} */ size) => left + (size / most) * (width - left - right);
  const y = (/** @type {number} */ seconds) => height - bottom - (seconds / longest) * (height - top - bottom);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const grid = ticks.map(
    (part) =>
      `<line x1="${left}" x2="${width - right}" y1="${y(part * longest)}" y2="${y(part * longest)}" stroke="#e5e7eb"/><text x="${left - 8}" y="${y(part * longest) + 4}" text-anchor="end">${+(part * longest).toFixed(1)}</text>`,
  );
  const sizes = [...new Set(all.map(({ size }) => size))].map(
    (size) => `<text x="${x(size)}" y="${height - bottom + 18}" text-anchor="middle">${size}</text>`,
  );
  const drawn = lines.map(
    ({ points, colour }) =>
      `<polyline fill="none" stroke="${colour}" stroke-width="2" points="${points.map(({ size, seconds }) => `${x(size).toFixed(1)},${y(seconds).toFixed(1)}`).join(" ")}"/>${points.map(({ size, seconds }) => `<circle cx="${x(size).toFixed(1)}" cy="${y(seconds).toFixed(1)}" r="3" fill="${colour}"/>`).join("")}`,
  );
  const legend = lines.map(
    ({ title, colour }, index) =>
      `<rect x="${width - right + 16}" y="${top + index * 22}" width="12" height="12" fill="${colour}"/><text x="${width - right + 34}" y="${top + index * 22 + 10}">${title}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12" fill="#374151">
<title>Seconds for pulumi up by number of resources</title>
<rect width="${width}" height="${height}" fill="#ffffff"/>
<text x="${left}" y="22" font-size="14" font-weight="600">Seconds for pulumi up by number of resources${slow ? " (the platform takes 20 ms where it is called)" : ""}</text>
${[...grid, ...sizes, ...drawn, ...legend].join("\n")}
</svg>
`;
}

/** @param {number} value */
function niceCeiling(value) {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return (Math.ceil((value / magnitude) * 2) / 2) * magnitude;
}
