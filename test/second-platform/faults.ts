/** What goes wrong in transport. "after" means that the work is done and its answer is lost. */
export type FaultKind =
  | { type: "status"; status: number; when?: "before" | "after" }
  | { type: "reset"; when: "before" | "after" }
  | { type: "hang"; when: "before" | "after" }
  /** The work is done; half of the announced body is sent, then the connection is reset. */
  | { type: "half answer" }
  | { type: "html page"; status: 200 | 404 | 502; when?: "before" | "after" };

export interface FaultRule {
  /** Tested on "METHOD /path" without the query. */
  operation: RegExp;
  /** How many requests it hits; default: all until clearFaults. */
  times?: number;
  kind: FaultKind;
}

export class Faults {
  private rules: { rule: FaultRule; left: number }[] = [];

  add(rule: FaultRule): void {
    this.rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY });
  }

  clear(): void {
    this.rules = [];
  }

  /** The fault for this request; the rule added first wins. */
  take(method: string, path: string): FaultKind | undefined {
    const found = this.rules.find(({ rule, left }) => left > 0 && rule.operation.test(`${method} ${path}`));
    if (found) found.left -= 1;
    return found?.rule.kind;
  }
}
