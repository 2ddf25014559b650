import { areas, type OpenPoint } from "./open-point";

const introduction = `# Open points

The API's specification leaves many things open: error statuses, answers that it does not show, odd input. This project tests the provider against two platforms that were written independently of each other from the specification alone: the [emulator](emulator.md), and a second platform (\`test/second-platform\` in the repository) that exists for the tests. Where they disagree, the specification can be read in more than one way, or one of them departs from it.

This page lists every disagreement that the calls in \`test/two-platforms\` find, and how the provider handles either answer. None of these answers comes from the real platform. The page is written from the list in that folder; a test keeps both equal to what the platforms do.

"Other way" names the setting with which the two agree: a **reading** of the emulator ([how to set it](emulator.md#choices-where-the-specification-is-silent)), or a *switch* of the second platform (all of them: \`test/second-platform/SWITCHES.md\`).
`;

/** docs/open-points.md. */
export function pageOf(points: readonly OpenPoint[]): string {
  const open = points.filter(({ word }) => !word);
  const sections = areas
    .map((area) => [area, open.filter((point) => point.area === area)] as const)
    .filter(([, found]) => found.length > 0)
    .map(([area, found]) => `## ${area}\n\n${openTable(found)}`);
  const departures = points.filter(({ word }) => word);
  return [introduction, ...sections, `## Departures from the specification\n\n${departureTable(departures)}`].join(
    "\n",
  );
}

function openTable(points: readonly OpenPoint[]): string {
  const rows = points.map((point) => [
    point.section,
    point.open,
    point.emulator,
    point.second,
    otherWay(point),
    point.provider,
  ]);
  return table(["Section", "What is open", "Emulator", "Second platform", "Other way", "The provider"], rows);
}

function departureTable(points: readonly OpenPoint[]): string {
  const about = "Here the specification decides, and one of the two does not follow it.\n\n";
  const rows = points.map((point) => [
    point.word?.says ?? "",
    point.open,
    point.emulator,
    point.second,
    `the ${point.word?.departs}`,
    point.provider,
  ]);
  return about + table(["The specification", "Case", "Emulator", "Second platform", "Departs", "The provider"], rows);
}

function otherWay({ otherWay: settings }: OpenPoint): string {
  if (!settings) return "none";
  const { readings = {}, switches = {}, leaves } = settings;
  const named = [
    ...Object.entries(readings).map(([name, value]) => `**${name}** \`${value}\``),
    ...Object.entries(switches).map(([name, value]) => `*${name}* \`${value}\``),
  ].join(", ");
  return leaves ? `${named} (leaves: ${leaves.what})` : named;
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), `|${heads.map(() => "---|").join("")}`, ...rows.map(line), ""].join("\n");
}
