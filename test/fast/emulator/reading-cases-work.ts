import { expect } from "vitest";
import type { Emulator } from "../../../emulator";
import type { workReadings } from "../../../emulator/extended/readings-work";
import { type Call, control, type Reply, send, spark } from "./calls";
import type { Cases } from "./reading-cases";

const v = "/api/v1.2";
const v2 = "/api/v2/accounts";

/** For every reading of commands, packages, accounts, the whitelist and Hive: what to observe, and what to expect. */
export function workCases(emulator: () => Emulator): Cases<keyof typeof workReadings> {
  const call = (method: Call["method"], path: string, body?: unknown) =>
    send(emulator().url, emulator().tokens.admin, { method, path, body });
  const get = (path: string) => call("GET", v + path);
  const statusAndBody = ({ status, body }: Reply) => [status, body];
  const submit = async (body: object = spark): Promise<number> => (await call("POST", `${v}/commands`, body)).body.id;
  const ended = async (body?: object): Promise<number> => {
    const id = await submit(body);
    emulator().advance(60);
    return id;
  };
  const status = async (id: number) => (await get(`/commands/${id}`)).body;
  const kill = (id: number) => call("PUT", `${v}/commands/${id}`, { status: "kill" });
  const packages = async (env = 401) => (await get(`/package/${env}/list_packages`)).body;
  const edit = (body: object) => call("PUT", `${v}/account`, body);
  const described = async (path: string) =>
    (await call("GET", path)).body.account_whitelisted_ips.map((entry: object) => Reflect.get(entry, "description"));
  const seconds = expect.any(Number);
  const utc = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
  const iso = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const request = (id: number, package_names: string, of = "success") => ({
    id,
    package_names,
    status: of,
    created_at: iso,
  });
  const seeded = request(1, "numpy==1.26.4,pandas==2.2.0");

  return {
    environmentsEnvelope: [
      async () => (await get("/package/list_environments")).body,
      {
        environments: { environments: expect.arrayContaining([{ id: 401, name: "python-science" }]) },
        array: expect.arrayContaining([{ id: 401, name: "python-science" }]),
      },
    ],
    packageEntries: [
      async () => {
        await call("POST", `${v}/package/401/add_packages`, {
          source_type: "r_package",
          package_names: "dplyr==1.1.4",
        });
        return (await packages()).packages;
      },
      {
        text: { python: ["numpy==1.26.4", "pandas==2.2.0"], r: ["dplyr==1.1.4"] },
        objects: {
          python: [
            { name: "numpy", version: "1.26.4" },
            { name: "pandas", version: "2.2.0" },
          ],
          r: [{ name: "dplyr", version: "1.1.4" }],
        },
        map: { python: { numpy: "1.26.4", pandas: "2.2.0" }, r: { dplyr: "1.1.4" } },
        names: { python: ["numpy", "pandas"], r: ["dplyr"] },
        requests: { python: [seeded], r: [request(2, "dplyr==1.1.4")] },
      },
    ],
    packageKeys: [
      async () => {
        const { packages: listed, installed_pkgs_history: history } = await packages(402);
        return [listed, Object.keys(history)];
      },
      {
        short: [{ python: [], r: ["ggplot2==3.4.4"] }, ["python", "r"]],
        "source-types": [{ python_package: [], r_package: ["ggplot2==3.4.4"] }, ["python_package", "r_package"]],
      },
    ],
    packageHistory: [
      async () => (await packages()).installed_pkgs_history,
      { requests: { python: [seeded], r: [] }, empty: [], absent: undefined },
    ],
    accountEditFields: [
      async () => {
        const replies = [await edit({ name: "Renamed" }), await edit({ unheard_of: 1 })];
        return [...replies.map((reply) => reply.status), (await get("/account")).body.name];
      },
      {
        listed: [422, 422, "Analytics"],
        ignored: [200, 200, "Analytics"],
        "create-fields": [200, 422, "Renamed"],
      },
    ],
    accountEditBody: [
      async () => {
        const change = { notification_email_list: "a@example.com" };
        return [(await edit(change)).status, (await edit({ account: change })).status];
      },
      { flat: [200, 422], both: [200, 200], wrapped: [422, 200] },
    ],
    accountEditAnswer: [
      async () => (await edit({})).body,
      {
        "not-shown": { status: { status_code: 200, message: "account updated" } },
        account: expect.objectContaining({ id: 1001, storage_location: "s3://analytics-logs/default" }),
      },
    ],
    whitelistDescription: [
      async () => {
        const reply = await call("POST", `${v}/whitelist_ip`, { ip_cidr: "192.0.2.1", description: "office" });
        return [reply.status, await described(`${v2}/whitelist_ip`)];
      },
      { accepted: [200, ["office"]], ignored: [200, [null]], refused: [422, []] },
    ],
    whitelistListDescription: [
      async () => {
        await call("POST", `${v2}/whitelist_ip`, { ip_cidr: "192.0.2.1", description: "office" });
        return [await described(`${v2}/whitelist_ip`), await described(`${v}/whitelist_ip`)];
      },
      {
        v2: [["office"], [undefined]],
        both: [["office"], ["office"]],
        neither: [[undefined], [undefined]],
      },
    ],
    commandStatusTimes: [
      async () => {
        const { created_at, updated_at, start_time, end_time } = await status(await ended());
        return [created_at, updated_at, start_time, end_time];
      },
      {
        epoch: [utc, utc, seconds, seconds],
        "epoch-iso": [iso, iso, seconds, seconds],
        "as-history": [iso, iso, iso, iso],
      },
    ],
    commandStatusQlog: [
      async () => {
        await control(emulator().url, "POST", "/commands/outcome", { match: { name: "bad" }, outcome: "error" });
        return [(await status(await ended())).qlog, (await status(await ended({ ...spark, name: "bad" }))).qlog];
      },
      {
        columns: [expect.stringMatching(/^\{"columns":\[\{"name":"c1","type":"string"\}/), null],
        "as-history": [null, expect.stringContaining("outcome rule")],
      },
    ],
    cancelAnswer: [
      async () => statusAndBody(await kill(await submit())),
      {
        command: [200, expect.objectContaining({ id: 10001, status: "cancelling", command_type: "SparkCommand" })],
        status: [200, { status: "kill" }],
        "id-status": [200, { id: 10001, status: "cancelling" }],
        object: [200, {}],
        empty: [200, ""],
        "204": [204, ""],
      },
    ],
    cancelSeconds: [
      async () => {
        const id = await submit();
        const seen = [(await kill(id)).body.status];
        for (let second = 1; second <= 3; second += 1) {
          emulator().advance(1);
          seen.push((await status(id)).status);
        }
        return seen.map((state: string) => state === "cancelled");
      },
      { "1": [false, true, true, true], "0": [true, true, true, true], "3": [false, false, false, true] },
    ],
    cancelEnded: [
      async () => {
        const id = await ended();
        return [(await kill(id)).status, (await status(id)).status];
      },
      { accepted: [200, "done"], refused: [422, "done"] },
    ],
    commandLogEarly: [
      async () => statusAndBody(await get(`/commands/${await submit()}/logs`)),
      { empty: [200, ""], "404": [404, expect.anything()] },
    ],
    commandResults: [
      async () => (await get(`/commands/${await ended()}/results`)).body,
      {
        inline: { inline: true, results: "1\tone\r\n2\ttwo" },
        location: {
          inline: false,
          result_location: [expect.stringMatching(/^s3:\/\/analytics-logs\/default\/tmp\/[\d-]+\/1001\/10001\.dir\//)],
        },
      },
    ],
    partitionNames: [
      async () => {
        await control(emulator().url, "PUT", "/state/hiveTables", {
          schema: "default",
          name: "hours",
          columns: [{ name: "at", type: "string" }],
          partitions: [{ at: "2024-01-01 03:00" }],
        });
        return (await get("/hive/default/hours/partitions")).body.map((row: { PART_NAME: string }) => row.PART_NAME);
      },
      { "as-is": ["at=2024-01-01 03:00"], escaped: ["at=2024-01-01 03%3A00"] },
    ],
  };
}
