import { describe, expect, test } from "vitest";
import { testEmulator } from "./test-emulator";

const { emulator, get, control } = testEmulator();

describe("answers in the log", () => {
  const answers = () =>
    emulator()
      .requests()
      .requests.map(({ answer }) => answer);

  test("are dropped if they are long or old", async () => {
    for (let index = 0; index < 120; index += 1)
      await control("PUT", "/state/whitelist", {
        ip_cidr: `10.0.0.${index}`,
        created_at: "x".repeat(100),
        updated_at: "",
      });
    await get("/whitelist_ip");
    expect(answers()[0]).toMatch(/^\(\d+ characters\)$/);
    for (let index = 0; index < 500; index += 1) await get("/nothing");
    const { requests } = emulator().requests(501);
    expect(requests[0]).not.toHaveProperty("answer");
    expect(requests[1]).toHaveProperty("answer");
  });
});
