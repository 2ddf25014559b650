import { expect, test } from "vitest";
import { callsOf } from "../../../cli/rehearse/calls";
import { changesText, type RehearsalReport } from "../../../cli/rehearse/report";
import { changesOf, countsOf } from "../../../cli/rehearse/result";
import { redactor } from "../../../provider/core/redact";

test("where secrets are not known, a request shows neither its body nor the names in its path", () => {
  const request = {
    operation: "groups.assignRole",
    method: "PUT",
    path: "/api/v1.2/groups/77/roles/brandnew/assign?x=brandnew",
    body: { role: "brandnew" },
    status: 404,
  };
  const shown = callsOf([request] as never, { redact: redactor(), hidden: "(hidden)" });
  expect(shown).toMatchObject([{ path: "/api/v1.2/groups/…", body: "(hidden)", status: 404 }]);
  expect(callsOf([request] as never, { redact: redactor(), hidden: undefined })[0]?.path).toContain("brandnew");
});

test("a replaced resource is one change, and what an earlier replacement left is not a second one", () => {
  const step = (op: string, name: string) => ({ op, urn: `urn:pulumi:dev::p::t::${name}`, type: "t" });
  const steps = [
    ...["create-replacement", "replace", "delete-replaced"].map((op) => step(op, "a")),
    ...["delete-replaced", "create-replacement", "replace"].map((op) => step(op, "b")),
    ...["update", "delete-replaced"].map((op) => step(op, "c")),
    step("delete-replaced", "d"),
  ];
  const changes = countsOf(changesOf(steps).values());
  expect(changesText({ changes } as RehearsalReport)).toBe("2 to replace, 1 to update, 1 to delete");
});
