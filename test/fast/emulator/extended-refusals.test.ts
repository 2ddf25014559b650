import { expect, test } from "vitest";
import { callOf, refusal } from "./calls";
import { testEmulator } from "./test-emulator";

const { emulator, as } = testEmulator({ extended: true });

type Case = [call: string, body: object | undefined, status: number, message: RegExp];

/** Rows of one call: its body with some values changed. */
const on =
  (call: string, body: object = {}) =>
  (change: object, status: number, message: RegExp): Case => [call, { ...body, ...change }, status, message];
const disabled = on("POST /accounts/disable_svc_user");
const role = on("POST /roles", { name: "own" });
const own = "Users/owner@analytics.example.com/private";
const viewed = on("GET /folders/policy", { location: own, source_type: "Folder", type: "notes" });
const folder = on("POST /folders", { name: "new", location: "Common", type: "notes" });
const moved = on("POST /folders/move", { location: "Common/reports", destination_location: "Common", type: "notes" });

const policy = on("PUT /object_policy/policy", { source_type: "environment", source_id: "401", policy: "[]" });

const cases: Case[] = [
  disabled({ svc_user_id: "101" }, 422, /yourself/),
  disabled({ svc_user_id: "admin@analytics.example.com" }, 422, /yourself/),
  disabled({ svc_user_id: "151" }, 404, /no user 151/),
  disabled({ svc_user_id: "nobody@example.com" }, 404, /no user nobody/),
  disabled({ svc_user_id: "" }, 422, /svc_user_id/),
  ["POST /groups", {}, 422, /name/],
  ["POST /groups", { name: "" }, 422, /name/],
  ["POST /groups", { name: "analysts" }, 409, /already has a group analysts/],
  ["POST /groups", { name: "everyone" }, 409, /already/],
  ["POST /groups", { name: "new", members: "104,9" }, 422, /members: this account has no user 9/],
  ["POST /groups", { name: "new", members: "admin@research.example.com" }, 422, /members/],
  ["POST /groups", { name: "new", roles: "351" }, 422, /roles: this account has no role 351/],
  ["PUT /groups/204", { name: "operators" }, 409, /operators/],
  ["PUT /groups/204", { removed_members: "9" }, 422, /removed_members/],
  ["PUT /groups/204", { removed_roles: "none" }, 422, /removed_roles/],
  ["PUT /groups/204", { members: "104", removed_members: "104" }, 422, /added and removed/],
  ["PUT /groups/204", { roles: "analyst", removed_roles: "301" }, 422, /added and removed/],
  ["PUT /groups/203", { name: "all" }, 422, /everyone is a system group/],
  ["PUT /groups/201", { members: "103" }, 422, /system group/],
  ["PUT /groups/analysts", { name: "x" }, 404, /no group analysts/],
  ["DELETE /groups/201", undefined, 422, /system group/],
  ["DELETE /groups/system-user", undefined, 422, /system group/],
  ["DELETE /groups/everyone", undefined, 422, /system group/],
  ["DELETE /groups/254", undefined, 404, /no group 254/],
  ["DELETE /groups/none", undefined, 404, /no group none/],
  ["PUT /groups/204/svc_users/105,9/add", {}, 404, /no user 9; nothing was changed/],
  ["PUT /groups/204/svc_users/104,151/remove", {}, 404, /no user 151/],
  ["PUT /groups/204/svc_users/,/add", {}, 404, /no user/],
  ["PUT /groups/none/svc_users/105/add", {}, 404, /no group none/],
  role({}, 422, /policies/),
  ["POST /roles", { policies: "[]" }, 422, /name/],
  ["POST /roles", { name: "analyst", policies: "[]" }, 409, /already has a role analyst/],
  ["POST /roles", { name: "system-user", policies: "[]" }, 409, /already/],
  role({ policies: [] }, 422, /policies/),
  role({ policies: "{" }, 422, /JSON-encoded/),
  role({ policies: "{}" }, 422, /policies: element list/),
  role({ policies: '[{"resource":"moon","access":"allow"}]' }, 422, /element 0\.resource/),
  role({ policies: '[{"resource":"all","access":"maybe"}]' }, 422, /element 0\.access/),
  role({ policies: '[{"resource":"all","action":"all","access":"deny"}]' }, 422, /element 0\.action/),
  role({ policies: '[{"resource":"all","access":"deny","x":1}]' }, 422, /element 0: unknown field "x"/),
  ["PUT /roles/301", { name: "nothing" }, 409, /nothing/],
  ["PUT /roles/301", { policies: "[1]" }, 422, /policies: element 0/],
  ["PUT /roles/301", { policy: "[]" }, 422, /policy/],
  ["PUT /roles/307", { name: "x" }, 422, /system-admin is a system role/],
  ["PUT /roles/308", { policies: "[]" }, 422, /only duplicated/],
  ["PUT /roles/analyst", {}, 404, /no role analyst/],
  ["GET /package/499/list_packages", undefined, 404, /499/],
  ["GET /package/abc/list_packages", undefined, 404, /abc/],
  viewed({ location: "Common/nowhere" }, 404, /Common\/nowhere/),
  viewed({ type: "notebook_dashboards" }, 404, /notebook_dashboards/),
  viewed({ type: "jupyter_notebooks" }, 404, /jupyter_notebooks/),
  viewed({ type: "boards" }, 422, /type/),
  viewed({ source_type: "Note" }, 422, /source_type/),
  viewed({ location: undefined }, 422, /location/),
  folder({ name: "a-b" }, 422, /name/),
  folder({ type: "jupyter_notebooks" }, 422, /type/),
  folder({ location: "Common/nowhere" }, 404, /Common\/nowhere/),
  folder({ location: "Users/nobody@example.com" }, 404, /nobody/),
  moved({ location: "Common/nowhere" }, 404, /Common\/nowhere/),
  moved({ destination_location: "Nowhere" }, 404, /Nowhere/),
  moved({ destination_location: "Common/reports/weekly" }, 409, /weekly/),
  policy({ source_id: "499" }, 404, /499/),
  policy({ policy: '[{"access":"allow","action":["start"]}]' }, 422, /action/),
  ["GET /hive/sales/nothing", undefined, 404, /nothing/],
  ["GET /hive/nothing/orders", undefined, 404, /nothing/],
  ["GET /hive/nothing/tables_with_views", undefined, 404, /nothing/],
  ["GET /hive/sales/nothing/partitions", undefined, 404, /nothing/],
];

test.each(cases)("%s with %j answers %i %s, and nothing changes", async (call, body, status, message) => {
  const before = emulator.state({ secrets: true });
  const reply = await as("admin", callOf(["", call, "", body]));
  expect(reply).toMatchObject({ status, body: refusal(status, message) });
  expect(emulator.state({ secrets: true })).toEqual(before);
});
