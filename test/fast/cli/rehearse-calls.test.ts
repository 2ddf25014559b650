import { expect, test } from "vitest";
import { callsOf } from "../../../cli/rehearse/calls";
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
