import { invalid } from "../answers";
import type { Parameters } from "../parameters";
import { commonNames, type ReadCommand } from "./read-command";

/** Whether an expression of srcPattern or groupBy has a * outside single quotes. */
function bareStar(text: string): boolean {
  // The whole argument text may stand in single quotes, in place of the expressions within it.
  if (/^\s*'[^']*'\s*$/.test(text)) return false;
  // Split at blanks the way a shell does, with the quotes kept.
  const words = [...text.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)].map(([word]) => word);
  return words.some((word, index) => {
    const expression = /^--(?:srcPattern|groupBy)(?:=(.*))?$/s.exec(word);
    if (!expression) return false;
    return (expression[1] ?? words[index + 1] ?? "").replace(/'[^']*'/g, "").includes("*");
  });
}

/** Nothing asks for the options as parameters of their own. */
export function readDistCp(parameters: Parameters): ReadCommand {
  parameters.only(...commonNames, "sub_command", "sub_command_args");
  parameters.needs("sub_command").oneOf("sub_command", ["s3distcp"]);
  const args = parameters.text("sub_command_args") ?? "";
  if (bareStar(args)) throw invalid("an expression with * must be enclosed in single quotes");
  return { commandType: "HadoopCommand", command: { sub_command: "s3distcp", sub_command_args: args } };
}
