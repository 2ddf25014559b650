import { expect, test } from "vitest";
import { z } from "zod";
import { Client } from "../../../provider/api/client";
import { readSettings } from "../../../provider/api/settings";
import { defineFunction } from "../../../provider/core/define-function";
import { FunctionRun } from "../../../provider/core/function-run";

const getThings = defineFunction({
  name: "getThings",
  doc: "Returns things.",
  inputs: z.object({ name: z.string().optional() }),
  outputs: z.object({ things: z.array(z.string()) }),
  secrets: [],
  effect: "reads",
  needsExtendedApi: true,
  run: async (_, { name = "thing" }) => ({ things: [name] }),
});

const settings = readSettings(() => undefined, {
  DATAPLATFORM_BASE_URL: "http://localhost:1",
  DATAPLATFORM_API_TOKEN: "token",
});
const runWith = (extendedApi?: () => boolean) => {
  const host = { client: () => new Client(settings), log: { info() {}, warn() {} } };
  return new FunctionRun(getThings, extendedApi ? { ...host, extendedApi } : host);
};

test("a function that needs the extended API runs when it is on", async () => {
  await expect(runWith(() => true).run({}, { preview: false })).resolves.toEqual({ things: ["thing"] });
});

test.each([true, false])("while it is off, the error says how to turn it on; preview: %s", async (preview) => {
  const says = "getThings: needs the extended API; set dataplatform:extendedApi to true";
  await expect(runWith(() => false).run({}, { preview })).rejects.toThrow(says);
  await expect(runWith().run({}, { preview })).rejects.toThrow(says);
});

test("in plugin mode it is a failure of the check, beside what is wrong with the arguments", async () => {
  const { failures } = (await runWith(() => false).checkAndRun({ name: 1 }, { preview: true })) as {
    failures: { property: string; reason: string }[];
  };
  expect(failures.map(({ property }) => property)).toEqual(["name", ""]);
  expect(failures[1]?.reason).toContain("needs the extended API");
});
