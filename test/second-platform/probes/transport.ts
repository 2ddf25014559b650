import type { transport } from "../switches/transport";
import { api, at, type Probe, type Reply, statusAndBody, type Tester, wait } from "./tester";

const add = (t: Tester, ip: string) => t.post(api.whitelist, { ip_cidr: ip });
const head = (reply: Reply, ...names: string[]) => [reply.status, ...names.map((name) => reply.headers[name] ?? null)];

export const transportProbes: Record<keyof typeof transport, Probe> = {
  contentType: async (t) => head(await t.get(api.hive), "content-type"),
  contentEncoding: async (t) => {
    const plain = await t.get(api.hive);
    const gzip = await t.get(api.hive, { headers: { "accept-encoding": "gzip, deflate" } });
    return [head(plain, "content-encoding"), head(gzip, "content-encoding"), plain.json, gzip.json];
  },
  byteOrderMark: async (t) => (await t.get(api.hive)).text.charCodeAt(0),
  jsonLayout: async (t) => (await t.get(api.emails)).text,
  bodyFraming: async (t) => {
    const reply = await t.get(api.hive);
    return [reply.json, reply.headers["transfer-encoding"]];
  },
  connection: async (t) => {
    let cut = 0;
    t.agent.on("disconnect", () => {
      cut += 1;
    });
    const reply = await t.get(api.hive);
    for (let i = 0; i < 10 && cut === 0; i += 1) await wait(15);
    return [reply.status, reply.headers["connection"], cut];
  },
  trailingSlash: async (t) => {
    const paths = [api.hive, api.hive.slice(0, -1), api.emails, `${api.emails}/`];
    const seen = [];
    for (const path of paths) seen.push(head(await t.get(path), "location"));
    return seen;
  },
  headAndOptions: async (t) => [
    head(await t.send("HEAD", api.hive), "allow"),
    head(await t.send("OPTIONS", api.hive), "allow"),
  ],
  wrongMethod: async (t) => statusAndBody(await t.put(api.whitelist, {})),
  unknownPath: async (t) => statusAndBody(await t.get("/api/v1.2/nothing")),
  otherVersions: async (t) => [(await t.get("/api/v2/whitelist_ip")).status, (await t.get("/api/v1/commands")).status],
  deprecation: async (t) => {
    const reply = await t.post(api.whitelist, { ip_cidr: "192.0.2.5" });
    return [head(reply, "deprecation", "sunset", "warning"), reply.text];
  },
  requestContentType: async (t) =>
    (await t.post(api.whitelist, { ip_cidr: "192.0.2.5" }, { headers: { "content-type": "text/plain" } })).status,
  requestAccept: async (t) => {
    const reply = await t.get(api.hive, { headers: { accept: "text/plain" } });
    return [reply.status, reply.json === undefined];
  },
  malformedJson: async (t) => {
    const { status, text } = await t.post(api.commands, undefined, { raw: "{nope" });
    return [status, text];
  },
  getBodies: async (t) => {
    const reply = await t.send("GET", api.commands, { per_page: 1 });
    return [reply.status, at(reply.json, "paging_info", "per_page")];
  },
  rateLimit: async (t) => {
    const seen = [];
    for (let i = 0; i < 3; i += 1) seen.push(await t.get(api.hive));
    return seen.map((reply) => [reply.status, String(reply.headers["retry-after"] ?? "").replace(/^\w{3},.*/, "date")]);
  },
  requestSize: async (t) => {
    const reply = await t.post(api.commands, { command_type: "SparkCommand", program: "x".repeat(5000) });
    return [reply.status, reply.json === undefined];
  },
  retryAfterFaults: async (t) => {
    t.platform.fault({ times: 1, kind: { type: "status", status: 503 } });
    const reply = await t.get(api.hive);
    return [reply.status, String(reply.headers["retry-after"] ?? "").replace(/^\w{3},.*/, "date")];
  },
  dateHeader: async (t) => (await t.get(api.hive)).headers["date"] !== undefined,
  redirectAddress: async (t) => String((await t.get(api.hive.slice(0, -1))).headers["location"]).replace(/:\d+/, ""),
  serverClock: async (t) => {
    await add(t, "192.0.2.5");
    const list = at((await t.get(api.whitelist)).json, "account_whitelisted_ips") as { created_at: string }[];
    return Math.round((Date.parse(list.at(-1)?.created_at ?? "") - Date.now()) / 3_600_000);
  },
  latency: async (t) => {
    // Measuring time is unreliable on a busy machine; the platform counts how long it waited.
    await t.get(api.hive);
    const read = t.platform.state().counters["latency in ms"] ?? 0;
    await add(t, "192.0.2.5");
    return [read, t.platform.state().counters["latency in ms"] ?? 0];
  },
};
