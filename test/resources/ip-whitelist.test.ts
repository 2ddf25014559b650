import { expect, test } from "vitest";
import { startEmulator } from "../../emulator";
import { inputsOf } from "../harness/lifecycle";
import { TestStack } from "../harness/stack";
import { describeOnEngine } from "../harness/tier";
import { life as lifeCase, listIn } from "./cases/ip-whitelist";

inputsOf(lifeCase);

describeOnEngine("a thousand addresses on the engine", () => {
  test("are one resource; a partial failure is kept, and the next up finishes the rest", async () => {
    const emulator = await startEmulator();
    const stack = await TestStack.create({ baseUrl: emulator.url, token: emulator.tokens["admin"]! });
    const addresses = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    const counts = () => emulator.requests(0).counts;
    try {
      emulator.setFaults({ rules: [{ operation: "whitelist.add", kind: "respond", status: 422, nth: [10, 500] }] });
      const failed = await stack.up({ it: { type: "IpWhitelist", args: { addresses } } });
      expect(failed.code).not.toBe(0);
      expect(failed.text).toContain("could not add 2 of 1000 addresses");
      expect(listIn(emulator.state())).toHaveLength(998);
      const [half] = (await stack.exportState()).resources;
      expect(half!.outputs["addresses"]).toHaveLength(998);

      emulator.clearFaults();
      emulator.clearRequests();
      const finished = await stack.up();
      expect(finished.code, finished.text).toBe(0);
      expect(counts()["whitelist.add"]).toBe(2);
      expect(new Set(listIn(emulator.state()))).toEqual(new Set(addresses));
      expect((await stack.preview()).changed).toEqual({});

      emulator.clearRequests();
      const destroyed = await stack.destroy();
      expect(destroyed.code, destroyed.text).toBe(0);
      expect(listIn(emulator.state())).toEqual([]);
      expect(counts()["whitelist.delete"]).toBe(5);
      expect(destroyed.text).toContain("the whitelist of account 1001 is now empty");
    } finally {
      stack.remove();
      await emulator.close();
    }
  });
});
