import { switchCatalogue } from ".";

/** The catalogue as the table of SWITCHES.md, which a test keeps up to date. */
export function catalogueTable(): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = Object.entries(switchCatalogue).map(([name, entry]) => {
    const [first, ...others] = entry.values as readonly string[];
    return `| ${name} | ${entry.spec} | ${cell(entry.silent)} | **${cell(first ?? "")}** · ${others.map(cell).join(" · ")} |`;
  });
  return ["| Switch | Section | What is unsaid | Values, the default first |", "|---|---|---|---|", ...rows].join("\n");
}
