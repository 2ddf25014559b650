/** What goes wrong in transport. "after" means that the work is done and its answer is lost. */
export type FaultKind =
  | { type: "status"; status: number; when?: "before" | "after"; retryAfter?: string; body?: string }
  | { type: "reset"; when: "before" | "after" }
  | { type: "hang"; when: "before" | "after" }
  /** The work is done; half of the announced body is sent, then the connection is reset. */
  | { type: "half answer" }
  | { type: "html page"; status: 200 | 404 | 502; when?: "before" | "after" }
  /** The page of a proxy that cannot find the service. */
  | { type: "proxy 404" }
  | { type: "delay"; ms: number };

export interface FaultRule {
  /** Compared with "METHOD /path" without the query: a string exactly, an expression anywhere. Default: all. */
  operation?: string | RegExp;
  /** How many requests it hits; default: all until clearFaults. */
  times?: number;
  /** How many matching requests pass first. */
  skip?: number;
  kind: FaultKind;
}

export class Faults {
  private rules: { rule: FaultRule; left: number; skip: number }[] = [];

  add(rule: FaultRule): void {
    this.rules.push({ rule, left: rule.times ?? Number.POSITIVE_INFINITY, skip: rule.skip ?? 0 });
  }

  clear(): void {
    this.rules = [];
  }

  /** The fault for this request; the rule added first wins. */
  take(method: string, path: string): FaultKind | undefined {
    const text = `${method} ${path}`;
    for (const entry of this.rules) {
      const { operation } = entry.rule;
      const fits =
        operation === undefined || (typeof operation === "string" ? operation === text : operation.test(text));
      if (!fits || entry.left <= 0) continue;
      if (entry.skip > 0) {
        entry.skip -= 1;
        continue;
      }
      entry.left -= 1;
      return entry.rule.kind;
    }
    return undefined;
  }
}
