import { describe, expect, test } from "vitest";
import { planIn, plannedResources, previewOf } from "../../../cli/pipeline/planned";
import { releasedGates } from "../../../cli/pipeline/renamed";
import { changesPart, headlineOf } from "../../../cli/pipeline/seal-report";
import { urn } from "./planned";

/* The engine writes no step for what a program reads: what was managed would be let go without a word. */

const type = "pulumi-nodejs:dynamic/dataplatform:WhitelistedIp";
const managed = { urn: urn("office"), type, custom: true, id: "7", protect: true, inputs: { ipCidr: "203.0.113.7" } };
const plansIn = (plans: object) => planIn(JSON.stringify({ resourcePlans: plans })).resourcePlans;
const goal = (more: object = {}) => ({ type, custom: true, protect: true, inputDiff: {}, ...more });

const gates = (plans: object, more: object = {}) => releasedGates(plansIn(plans), [{ ...managed, ...more }]);

describe("what the state manages and no step names", () => {
  test("is refused, with its protection and how to release it", () => {
    const why = /^released: WhitelistedIp office is managed by this stack, and protected, and the plan has no/;
    expect(gates({})).toEqual([expect.stringMatching(why)]);
    expect(gates({}, { protect: false })[0]).toContain(`run "pulumi state delete '${urn("office")}'" first`);
  });

  test("is not refused where the engine writes no step: what was read before, parts of others, components", () => {
    for (const more of [{ external: true }, { viewOf: urn("all") }, { custom: false }, { delete: true }])
      expect(gates({}, more)).toEqual([]);
  });

  const renamed = { structuredAliases: [{ Name: "office" }] };

  test.each([
    ["kept under another name", { goal: goal(renamed), steps: ["same"] }, 0],
    ["kept, with the option import", { goal: goal({ ...renamed, id: "7" }), steps: ["same"] }, 0],
    // The program need not have the alias when it is merged, and can read what the alias names.
    ["behind one that is created", { goal: goal(renamed), steps: ["create"] }, 1],
    ["behind one that is imported", { goal: goal({ ...renamed, id: "8" }), steps: ["update"] }, 1],
  ])("%s: refused %s", (_how, plan, count) => {
    expect(gates({ [urn("hq")]: plan })).toHaveLength(count);
  });
});

describe("what was only read", () => {
  const read = { ...managed, protect: false, external: true, inputs: { ipCidr: "198.51.100.1", adopt: true } };
  const planned = (plan: object, old: object = read) =>
    plannedResources(plansIn({ [urn("office")]: plan }), [{ ...read, ...old }]);
  const created = ["create-replacement", "replace", "discard-replaced"];
  const rows = (plan: object) => changesPart(planned(plan)).lines.slice(1);

  test("is forgotten, and stays on the platform", () => {
    const [one] = planned({ steps: ["discard"] });
    expect(headlineOf([one!])).toBe("**1 to read no more**");
    expect(rows({ steps: ["discard"] })).toEqual([
      "| discard | `WhitelistedIp` `office` | was only read until now, and stays as it is on the platform |",
    ]);
    expect(previewOf([one!])).toEqual({ steps: [] });
  });

  test("is created when it is declared, with nothing of what was read", () => {
    const plan = { goal: goal({ inputDiff: { adds: { ipCidr: "203.0.113.7" } } }), steps: created };
    expect(planned(plan)).toMatchObject([{ op: "create", before: {}, after: { ipCidr: "203.0.113.7" } }]);
    const row = /^\| create \| .* \| `ipCidr`: `203.0.113.7`<br>was only read until now<br>`protect`: /;
    expect(rows(plan)[0]).toMatch(row);
  });

  test.each([[["discard-replaced"]], [["update", "discard-replaced"]]])("is taken over by its id: %j", (steps) => {
    expect(planned({ goal: goal({ id: "7" }), steps })).toMatchObject([{ op: "import", importId: "7" }]);
  });

  test.each<[string, object, object?]>([
    ["the same steps for what is managed", { steps: ["discard"] }, { external: false }],
    ["a replacement of what is managed", { goal: goal(), steps: created }, { external: false }],
    ["forgotten, with a goal", { goal: goal(), steps: ["discard"] }],
    ["no step", { goal: goal(), steps: ["discard-replaced"] }],
    ["kept", { goal: goal(), steps: ["same"] }],
    ["a read, which is in no plan", { goal: goal(), steps: ["read"] }],
  ])("is refused otherwise: %s", (_how, plan, old) => {
    expect(() => planned(plan, old)).toThrow(/^not verifiable: the plan (has the steps|would keep)/);
  });
});
