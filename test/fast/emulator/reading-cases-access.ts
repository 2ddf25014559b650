import { expect } from "vitest";
import type { Emulator } from "../../../emulator";
import type { accessReadings } from "../../../emulator/extended/readings-access";
import type { Reply } from "./calls";
import type { Cases } from "./reading-cases";
import { client } from "./test-emulator";

const analyst = { id: 104, user_id: 14, email: "analyst@analytics.example.com", name: "Ana Analyst" };
const analysts = { id: 204, name: "analysts", source: "user-defined" };
const policy = JSON.stringify([{ resource: "command", action: ["create", "read"], access: "allow" }]);
const role = { id: 301, name: "analyst", source: "user-defined", account_id: 1001 };

const status = ({ status: code }: Reply) => code;
const body = (reply: Reply) => reply.body;
const lengths = (list: { body: Record<string, unknown[]> }, name: string) => [
  Object.keys(list.body).sort(),
  list.body[name]?.length,
];

/** For every reading about data stores, groups, roles and users: what to observe, and the expected result for each value. */
export function accessCases(emulator: () => Emulator): Cases<keyof typeof accessReadings> {
  const { get, post, put, remove, addDataStore, account } = client(emulator);
  const viewed = async (more?: object) => (await get(`/db_taps/${await addDataStore(more)}`)).body;
  const membersOf204 = () => account().users.flatMap(({ id, groups }) => (groups.includes(204) ? [id] : []));
  const many = async () => {
    for (let index = 0; index < 11; index += 1) await addDataStore({ name: `store-${index}` });
  };

  return {
    pageOutOfBounds: [
      async () => [status(await get("/db_taps?page=2")), (await get("/db_taps?page=2")).body.error.error_message],
      { "422": [422, "Page number: 2 is out of bounds."], "404": [404, "Page number: 2 is out of bounds."] },
    ],
    dataStoreList: [
      async () => {
        await many();
        return lengths(await get("/db_taps"), "db_taps");
      },
      { paged: [["db_taps", "paging_info"], 10], unpaged: [["db_taps"], 11] },
    ],
    dataStoreViewName: [async () => (await viewed({ name: "n" })).name, { absent: undefined, shown: "n" }],
    dataStoreViewPassword: [
      async () => (await viewed()).db_passwd,
      { empty: "", masked: "********", absent: undefined, "as-sent": "p" },
    ],
    dataStoreViewPort: [
      async () => [(await viewed({ db_type: "redshift" })).port, (await viewed({ port: 7 })).port],
      { null: [null, 7], default: [5439, 7] },
    ],
    dataStoreViewGateway: [
      async () => {
        const { catalog_name, gateway_ip, gateway_port, gateway_private_key } = await viewed({
          catalog_name: "shop",
          db_location: "on-premise",
          gateway_ip: "192.0.2.1",
          gateway_username: "g",
          gateway_private_key: "k",
        });
        return [catalog_name, gateway_ip, gateway_port, gateway_private_key];
      },
      { absent: [undefined, undefined, undefined, undefined], shown: ["shop", "192.0.2.1", 22, undefined] },
    ],
    dataStoreEditPort: [
      async () => {
        const id = await addDataStore();
        const port = status(await put(`/db_taps/${id}`, { port: 1 }));
        return [port, status(await put(`/db_taps/${id}`, { db_port: 2 })), account().dataStores[0]!.port];
      },
      { port: [200, 422, 1], db_port: [422, 200, 2], both: [200, 200, 2] },
    ],
    dataStoreEditAnswer: [
      async () => body(await put(`/db_taps/${await addDataStore()}`, { db_user: "other" })),
      { record: expect.objectContaining({ id: 601, db_user: "other" }), status: { status: "updated" }, empty: "" },
    ],
    nameTaken: [
      async () => [
        status(await post("/groups", { name: "analysts" })),
        status(await post("/roles", { name: "analyst", policies: "[]" })),
      ],
      { "409": [409, 409], "422": [422, 422] },
    ],
    groupList: [
      async () => body(await get("/groups")),
      {
        named: { groups: expect.arrayContaining([analysts]) },
        array: expect.arrayContaining([analysts]),
        paged: { paging_info: expect.any(Object), groups: expect.arrayContaining([analysts]) },
      },
    ],
    groupRecord: [
      async () => body(await get("/groups/204")),
      {
        plain: analysts,
        ids: { ...analysts, members: [104], roles: [301] },
        records: {
          ...analysts,
          members: [{ id: 104, email: analyst.email, name: analyst.name }],
          roles: [{ id: 301, name: "analyst" }],
        },
      },
    ],
    groupCreateAnswer: [
      async () => body(await post("/groups", { name: "new" })),
      {
        done: { status: "done" },
        id: { status: "done", id: 255 },
        record: { id: 255, name: "new", source: "user-defined" },
      },
    ],
    groupUpdateLists: [
      async () => {
        await put("/groups/204", { members: "105", roles: "302" });
        return [membersOf204(), account().groups.find(({ id }) => id === 204)!.roles];
      },
      {
        added: [
          [104, 105],
          [301, 302],
        ],
        replaced: [[105], [302]],
      },
    ],
    systemGroupMembers: [
      async () => [
        status(await put("/groups/system-user/svc_users/103/add", {})),
        status(await put("/groups/system-user/svc_users/102/remove", {})),
      ],
      { accepted: [200, 200], refused: [422, 422] },
    ],
    memberRepeated: [
      async () => [
        status(await put("/groups/204/svc_users/104,105/add", {})),
        membersOf204(),
        status(await put("/groups/204/svc_users/104,106/remove", {})),
        membersOf204(),
      ],
      { done: [200, [104, 105], 200, [105]], refused: [409, [104], 404, [104]] },
    ],
    groupUsers: [
      async () => body(await get("/groups/analysts/svc_users")),
      {
        users: { users: [analyst] },
        svc_users: { svc_users: [analyst] },
        array: [analyst],
        ids: [104],
        emails: [analyst.email],
      },
    ],
    groupRoles: [
      async () => body(await get("/groups/analysts/roles")),
      { roles: { roles: [{ ...role, policy }] }, array: [{ ...role, policy }], names: ["analyst"], ids: [301] },
    ],
    roleList: [
      async () => {
        for (const name of ["a", "b", "c"]) await post("/roles", { name, policies: "[]" });
        const { body: answer } = await get("/roles");
        return Array.isArray(answer) ? answer.length : lengths({ body: answer }, "roles");
      },
      { named: [["roles"], 11], array: 11, paged: [["paging_info", "roles"], 10] },
    ],
    roleRecord: [
      async () => body(await get("/roles/301")),
      {
        text: { ...role, policy },
        array: { ...role, policy: JSON.parse(policy) },
        policies: { ...role, policies: policy },
        plain: { id: 301, name: "analyst", source: "user-defined" },
      },
    ],
    roleDeleteAssigned: [
      async () => [
        status(await remove("/roles/301")),
        account().roles.some(({ id }) => id === 301),
        account().groups.find(({ id }) => id === 204)!.roles,
      ],
      { removed: [200, false, []], refused: [409, true, [301]] },
    ],
    roleGroups: [
      async () => body(await get("/roles/analyst/groups")),
      { groups: { groups: [analysts] }, array: [analysts], names: ["analysts"], ids: [204] },
    ],
    userEntry: [
      async () => {
        const { id, groups, user_type, authentication_token } = (await get("/accounts/get_users")).body.users[3];
        return [id, groups, user_type, authentication_token];
      },
      {
        short: [104, ["everyone", "analysts"], undefined, "analytics-analyst"],
        manual: [104, [{ id: 203, name: "everyone", source: "system" }, analysts], "regular", undefined],
      },
    ],
  };
}
