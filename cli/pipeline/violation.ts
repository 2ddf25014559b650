/**
 * Where a run departs from its plan, the engine stops and quotes both values, of secrets too, over as many lines as they
 * have. So nothing is let through from that line on, except for which resource and property it is about.
 */

const marker = "violates plan: ";
const notice = "(The engine quotes the values here, secrets too: the rest of its output is not shown.)";

/** A filter for the output of `pulumi up --plan`. It keeps back a line until it is complete. */
export function withoutPlannedValues(): (text: string) => string {
  let line = "";
  let isHidden = false;
  return (text) => {
    if (isHidden) return "";
    line += text;
    const start = line.indexOf(marker);
    if (start === -1) {
      const complete = line.slice(0, line.lastIndexOf("\n") + 1);
      line = line.slice(complete.length);
      return complete;
    }
    // The name of the property stands before its values: "properties changed: ~~dbPasswd[…".
    const length = line.slice(start).search(/[[\n]/);
    if (length === -1) return "";
    isHidden = true;
    return `${line.slice(0, start + length)}\n${notice}\n`;
  };
}
