import { extendedCatalogue, type SwitchEntry, switchCatalogue } from ".";

/** A catalogue as a table of SWITCHES.md. */
function catalogueTable(catalogue: Readonly<Record<string, SwitchEntry>>): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  const rows = Object.entries(catalogue).map(([name, entry]) => {
    const [first, ...others] = entry.values;
    return `| ${name} | ${entry.spec} | ${cell(entry.silent)} | **${cell(first ?? "")}** · ${others.map(cell).join(" · ")} |`;
  });
  return ["| Switch | Section | What is unsaid | Values, the default first |", "|---|---|---|---|", ...rows].join("\n");
}

const extendedIntroduction = `These apply to the operations outside the specification, which \`extended\` turns on. The sections are those of the
collection of facts about them: 0 general, 1 data stores, 2 groups and roles, 3 folders and object policies, 4 package
environments, 5 users, 6 accounts, 7 commands, 10 Hive.`;

/** The text of SWITCHES.md, which a test keeps up to date. */
export const catalogueText = () => `# Switches of the second platform

${catalogueTable(switchCatalogue)}

## Switches of the extended operations

${extendedIntroduction}

${catalogueTable(extendedCatalogue)}
`;
