import type { Faults } from "../../../emulator";

type Rule = Faults["rules"][number];

/** The mixed faults of a random run, together hitting about one call in twenty. */
export function mixedFaults(seed: number, share = 0.05): Faults {
  const rules: Faults["rules"] = [
    { kind: "429", retryAfter: 0 },
    { kind: "503", body: "" },
    { kind: "500" },
    { kind: "500", work: "do" },
    { kind: "reset-before" },
    { kind: "reset-after" },
    { kind: "html", status: 200 },
    { kind: "html", status: 502, work: "do" },
    { kind: "truncated" },
    { kind: "latency", latencyMs: 150 },
  ];
  return { seed, rules: rules.map((rule) => ({ ...rule, probability: share / rules.length })) };
}

const answers = (status: number, ...bodies: unknown[]): [string, Rule][] =>
  bodies.map((body) => [`${status} ${JSON.stringify(body)?.slice(0, 50)}`, { kind: "respond", status, body }]);

/** Answers that do not clearly say that the thing is gone. */
export const unclear: [string, Rule][] = [
  ["429", { kind: "429" }],
  ["500", { kind: "500" }],
  ["503 without a body", { kind: "503", body: "" }],
  ["a page instead of an answer", { kind: "html", status: 200 }],
  ["a page with 404", { kind: "html", status: 404 }],
  ["an empty answer", { kind: "empty", status: 200 }],
  ["an empty answer with 404", { kind: "empty", status: 404 }],
  ["half an answer", { kind: "truncated" }],
  ["a broken connection", { kind: "reset-before" }],
  ["a connection that breaks after the work", { kind: "reset-after" }],
  ["timeout", { kind: "latency", latencyMs: 60_000 }],
  ...answers(401, { error: { error_code: 401, error_message: "bad token" } }, ""),
  ...answers(403, { error: { error_code: 403, error_message: "not allowed" } }),
  ...answers(404, "not here", {}, { message: "no such route" }, "null"),
  ...answers(502, "<h1>Bad gateway</h1>"),
  ...answers(204, ""),
  ...answers(301, ""),
  ...answers(200, {}, [], "null", '"gone"', "0", "{", { error: { error_code: 404, error_message: "gone" } }),
  ...answers(200, { status: "error", errors: [] }, { account_whitelisted_ips: null }, { users: null }, { policy: {} }),
  ...answers(200, { account_whitelisted_ips: {} }, { users: "none" }, { commands: null }, { data: [] }),
];
