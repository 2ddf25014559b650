import type { FaultKind } from "../../second-platform";

/** One way for an answer to go wrong, and what the user must be told. */
export interface Fault {
  readonly title: string;
  readonly kind: FaultKind;
  /** Whether it leaves open if the request was processed. */
  readonly isOpen: boolean;
}

const when = ["before", "after"] as const;
const fault = (title: string, kind: FaultKind, isOpen = true): Fault => ({ title, kind, isOpen });

/**
 * A 429 and a page with 404 say that nothing was done, so they have no "after" variant: a platform that does the work
 * and then denies it is indistinguishable from one that did not.
 */
export const faults: readonly Fault[] = [
  ...[503, 504, 500, 502, 449].flatMap((status) =>
    when.map((at) => fault(`${status} ${at}`, { type: "status", status, when: at })),
  ),
  fault("429", { type: "status", status: 429 }, false),
  ...when.map((at) => fault(`reset ${at}`, { type: "reset", when: at })),
  ...when.map((at) => fault(`no answer, ${at}`, { type: "hang", when: at })),
  fault("half an answer", { type: "half answer" }),
  ...when.map((at) => fault(`HTML with 200 ${at}`, { type: "html page", status: 200, when: at })),
  ...when.map((at) => fault(`HTML with 502 ${at}`, { type: "html page", status: 502, when: at })),
  fault("HTML with 404, as of a proxy", { type: "html page", status: 404 }, false),
];

/** Which requests it hits: the writes, the reads around them, or each kind of write once. */
export const targets = {
  "every write": [{ operation: /^(POST|PUT|DELETE) / }],
  "every read": [{ operation: /^GET / }],
  "each write once": [
    ...["whitelist_ip", "accounts$", "account$", "db_taps", "roles", "object_policy", "folders/policy"],
    ...["folders/rename", "_packages", "partition_sensor", "enable_svc_user", "commands"],
  ].map((path) => ({ operation: new RegExp(`^(POST|PUT|DELETE) .*${path}`), times: 1 })),
} as const;
export type Target = keyof typeof targets;
