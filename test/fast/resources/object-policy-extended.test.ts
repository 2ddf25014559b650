import { describe, expect, test } from "vitest";
import { objectPolicy } from "../../../provider/resources/object-policy";
import { policyOf } from "../../cases/object-grant";
import { freshEmulator } from "../../harness/emulators";
import { inProcess } from "../../harness/in-process";

const policy = [{ access: "deny", action: ["all", "manage"], condition: { svcGroups: [203] } }];
const args = { sourceType: "environment", sourceId: "401", policy };

describe("ObjectPolicy of an environment, with the extended API", () => {
  const emulator = freshEmulator({ extended: true });
  const on = () => inProcess(objectPolicy, emulator, { extended: true });
  const current = (): unknown => policyOf(emulator.state({ secrets: true }), 401);

  test("turned off: refresh still reads it, destroy leaves it with a warning and sends nothing", async () => {
    const { id, state } = await on().life.create(args);
    const { life, said } = inProcess(objectPolicy, emulator);
    await expect(life.read(id, state)).resolves.toEqual({ id, state });
    emulator.clearRequests();
    await life.delete(id, state);
    expect(emulator.requests().requests.filter(({ method }) => method === "PUT")).toEqual([]);
    expect(said.warnings).toEqual([expect.stringContaining("the policy of environment/401 stays on the platform")]);
    await on().life.delete(id, state);
    expect(current()).toEqual([]);
  });
});
