/** Accounts for the emulator, large enough for the reports. */

/** @param {number} count */
const numbers = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** So many users, so many objects. Ten groups; each policy names two of them and twenty users. @param {number} size */
export function accessSeed(size) {
  const groups = numbers(10).map((id) => ({ id, name: `group-${id}` }));
  const user = (/** @type {number} */ id, /** @type {number} */ group) => ({
    ...{ id, user_id: id, email: `user${id}@example.com`, name: `User ${id}`, token: `token-${id}`, groups: [group] },
  });
  const objects = numbers(size).map((id) => {
    const group = (/** @type {number} */ step) => ((id + step) % 10) + 1;
    const svc_users = numbers(20).map((place) => ((id * 7 + place * 13) % size) + 1);
    const policy = [
      { access: "allow", action: ["read"], condition: { svc_groups: [group(0), group(3)] } },
      { access: "allow", action: ["all"], condition: { svc_users } },
      { access: "deny", action: ["delete"], condition: { svc_groups: [group(5)] } },
    ];
    return { source_type: "note", id, name: `Note ${id}`, owner: 1, policy };
  });
  const admin = { ...user(size + 1, 11), alias: "admin", token: tokenOf(1) };
  const users = [...numbers(size).map((id) => user(id, (id % 10) + 1)), admin];
  return {
    accounts: [{ id: 1, name: "Bench", users, groups: [...groups, { id: 11, name: "system-admin" }], objects }],
  };
}

/** @param {number} account */
export const tokenOf = (account) => `bench-admin-${account}`;

/** So many accounts of 800 objects each: the account, addresses, users, roles, groups and data stores. @param {number} accounts */
export function exportSeed(accounts) {
  return { accounts: numbers(accounts).map(accountOf) };
}

/** @param {number} account */
function accountOf(account) {
  const created_at = "2024-01-01T00:00:00Z";
  const firstUser = account * 1_000;
  const users = numbers(250).map((index) => ({
    id: firstUser + index,
    user_id: firstUser + index,
    email: `user${index}@team-${account}.example.com`,
    token: index === 1 ? tokenOf(account) : `token-${account}-${index}`,
    ...(index === 1 && account === 1 ? { alias: "admin" } : {}),
    groups: index === 1 ? [51] : [(index % 50) + 1],
  }));
  const stores = numbers(50).map((id) => ({
    ...{ id, user_id: firstUser + 1, active: true, name: `store-${id}`, catalog_name: null, db_name: `sales${id}` },
    ...{ db_host: `db${id}.example.com`, db_user: "reader", db_passwd: "secret", db_type: "mysql" },
    ...{ db_location: "on-premise", port: 3306, gateway_ip: null, gateway_port: null, gateway_username: null },
    ...{ gateway_private_key: null, created_at },
  }));
  const addresses = numbers(399).map((id) => ({
    ...{ id, ip_cidr: `10.${account}.${id >> 8}.${id & 255}`, created_at, updated_at: created_at },
  }));
  const groups = numbers(50).map((id) => ({ id, name: `group-${id}`, roles: [id] }));
  return {
    ...{ id: account, name: `Team ${account}`, users, whitelist: addresses, dataStores: stores },
    roles: numbers(50).map((id) => ({ id, name: `role-${id}`, permissions: ["submitting a command"] })),
    groups: [...groups, { id: 51, name: "system-admin" }],
  };
}
