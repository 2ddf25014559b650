import { describe, expect, test } from "vitest";
import { dataStore } from "./calls";
import { testEmulator } from "./test-emulator";

const { emulator, get, post, control } = testEmulator();

describe("answers in the log", () => {
  const answers = () =>
    emulator()
      .requests()
      .requests.map(({ answer }) => answer);

  test("are kept as sent, with secrets masked", async () => {
    await post("/db_taps", { ...dataStore, db_passwd: "very-secret" });
    await get("/accounts/get_users");
    await post("/whitelist_ip", { ip_cidr: "nonsense" });
    expect(answers()[0]).toMatchObject({ db_host: "db.example.com", db_passwd: "***" });
    expect(answers()[2]).toMatchObject({ error: { error_code: 422 } });
    expect(JSON.stringify(answers())).not.toMatch(/very-secret|analytics-admin/);
  });

  test("show the effect of a fault", async () => {
    const kinds = ["503", "empty", "html", "truncated", "reset-after"] as const;
    for (const kind of kinds) {
      emulator().setFaults({ rules: [{ kind }] });
      await post("/db_taps", { ...dataStore, db_passwd: "very-secret" }).catch(() => {});
    }
    expect(answers()).toEqual([
      { error: { error_code: 503, error_message: "injected fault: 503" } },
      "",
      expect.stringContaining("Please try again later"),
      expect.stringMatching(/^\(truncated, \d+ characters in full\)$/),
      null,
    ]);
  });

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
