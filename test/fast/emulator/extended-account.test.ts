import { describe, expect, test } from "vitest";
import { refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { emulator, get, post, put, account } = testEmulator({ clock: "manual", extended: true });

const versions = [
  ["v1.2", "/api/v1.2/account", "acc_key", "secret"],
  ["v2", "/api/v2/accounts", "storage_access_key", "storage_secret_key"],
] as const;

describe.each(versions)("editing an account, %s", (version, path, accessKey, secretKey) => {
  const edit = (body: object, alias?: string) => put(path, body, alias);
  const compute = { compute_type: "CUSTOMER_MANAGED", compute_access_key: "ca", compute_secret_key: "cs" };
  const storage = { [accessKey]: "sa", [secretKey]: "ss", defloc: "s3://new/place" };

  test("changes the storage and compute settings, which the view shows", async () => {
    expect((await edit({ ...compute, ...storage, notification_email_list: "a@example.com" })).status).toBe(200);
    expect(account().notification_email_list).toBe("a@example.com");
    expect((await get(path)).body).toMatchObject({
      name: "Analytics",
      compute_access_key: "ca",
      compute_secret_key: "cs",
      storage_access_key: "sa",
      storage_secret_key: "ss",
      storage_location: "s3://new/place",
      is_aws_role_enabled: false,
    });
  });

  test("switches to a role and back to keys", async () => {
    expect((await edit({ access_mode: "IAM_ROLES", role_arn: "arn:new" })).status).toBe(200);
    const byRole = (await get(path)).body;
    expect(byRole).toMatchObject({ is_aws_role_enabled: true, role_arn: "arn:new", external_id: expect.any(String) });
    expect((await edit({ defloc: "s3://by/role" })).status).toBe(200);
    expect((await edit({ role_arn: "arn:newer" })).status).toBe(200);
    expect(account()).toMatchObject({ role_arn: "arn:newer", external_id: byRole.external_id });
    expect((await edit({ access_mode: "IAM_KEYS", ...compute, ...storage })).status).toBe(200);
    expect((await get(path)).body).not.toHaveProperty("role_arn");
  });

  const incomplete: [string, object, RegExp][] = [
    ["compute keys without the type", { compute_access_key: "a", compute_secret_key: "b" }, /compute_type/],
    ["a compute type without keys", { compute_type: "CUSTOMER_MANAGED" }, /compute_access_key, compute_secret_key/],
    ["half of the compute keys", { ...compute, compute_secret_key: undefined }, /compute_secret_key/],
    ["storage keys without defloc", { ...storage, defloc: undefined }, /defloc/],
    ["defloc without storage keys", { defloc: "s3://x" }, new RegExp(`${accessKey}, ${secretKey}`)],
    ["a role without its ARN", { access_mode: "IAM_ROLES" }, /role_arn/],
    ["an ARN for keys", { role_arn: "arn:x" }, /role_arn/],
    ["another access mode", { access_mode: "NONE" }, /access_mode/],
    ["another compute type", { ...compute, compute_type: "OTHER" }, /compute_type/],
    ["an empty key", { ...compute, compute_access_key: "" }, /compute_access_key/],
    ["a field of a creation", { name: "New" }, /name/],
    ["the other version's keys", { [version === "v2" ? "secret" : "storage_secret_key"]: "x" }, /secret/],
    ["a wrapped body", { account: storage }, /account/],
  ];
  test.each(incomplete)("%s is rejected", async (_title, body, message) => {
    const before = account();
    expect(await edit(body)).toMatchObject({ status: 422, body: refusal(422, message) });
    expect(account()).toEqual(before);
  });

  test("the fields of a creation keep their limits", async () => {
    emulator().setReadings({ accountEditFields: "create-fields" });
    const change = { idle_session_timeout: 60, idle_cluster_timeout: 3, CacheQuotaSizeInGB: 50 };
    expect((await edit({ ...change, idle_cluster_timeout_in_secs: 600 })).status).toBe(200);
    expect(account()).toMatchObject({
      idle_session_timeout: 60,
      idle_cluster_timeout: 3,
      idle_cluster_timeout_in_secs: 600,
      cache_quota_size_in_gb: 50,
    });
    expect((await edit({ idle_session_timeout: 10801 })).status).toBe(422);
    expect((await edit({ idle_cluster_timeout_in_secs: 600 }, "otherAdmin")).status).toBe(422);
  });
});

describe("the whitelist of v2", () => {
  const path = "/api/v2/accounts/whitelist_ip";

  test.each(["/api/v1.2/whitelist_ip", path])("%s: a description has at most 255 characters", async (at) => {
    const add = (length: number) => post(at, { ip_cidr: "192.0.2.1", description: "d".repeat(length) });
    expect(await add(256)).toMatchObject({ status: 422, body: refusal(422, /description/) });
    expect((await add(255)).status).toBe(200);
  });
});
