import type { Findings, Row, Tone } from "../report/model";
import { plural } from "../terminal/plural";
import { areas, countOf, type Finding, type Verdict } from "./finding";

const looks: Readonly<Record<Verdict, { readonly mark: string; readonly tone: Tone }>> = {
  ok: { mark: "✓", tone: "good" },
  info: { mark: "·", tone: "quiet" },
  warning: { mark: "!", tone: "warning" },
  problem: { mark: "✗", tone: "bad" },
};

export function readable(findings: readonly Finding[]): Findings {
  const [problems, warnings] = [countOf(findings, "problem"), countOf(findings, "warning")];
  const also = warnings > 0 ? `, ${plural(warnings, "warning")}` : "";
  return {
    title: "",
    headline: `${problems > 0 ? plural(problems, "problem") : "No problems"}${also}`,
    tone: problems > 0 ? "bad" : "good",
    sections: areas.map((title) => ({ title, rows: findings.filter(({ area }) => area === title).map(rowOf) })),
  };
}

function rowOf({ what, verdict, says, fix }: Finding): Row {
  const [first = "", ...rest] = says.split("\n");
  return {
    ...looks[verdict],
    cells: [what, first],
    more: [
      ...rest.map((line) => ({ remark: line.trim() })),
      ...(fix === undefined ? [] : [{ title: "fix", command: fix }]),
    ],
  };
}
