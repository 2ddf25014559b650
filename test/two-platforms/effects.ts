import type { Emulator } from "../../emulator";
import { latestVersion } from "../../emulator/routes/packages";
import type { PlatformState } from "../second-platform";

/** A platform's state, one line per thing, in a form that is the same for both. */
export type Lines = readonly string[];

type EmulatorState = ReturnType<Emulator["state"]>;

const json = (value: unknown) => JSON.stringify(value ?? []);

export function linesOfEmulator({ accounts }: EmulatorState): Lines {
  return accounts.flatMap((account) => {
    const of = account.name;
    return [
      `account ${of} at ${account.storage_location || "no location"}`,
      ...account.users.map(({ email, status }) => `user ${of} ${email} ${status}`),
      ...account.groups.map(({ name, roles }) => `group ${of} ${name} ${json(roles)}`),
      ...account.whitelist.map(({ ip_cidr }) => `whitelist ${of} ${ip_cidr}`),
      ...account.commands.map((one) => `command ${of} ${one.command_type} ${one.name} ${json(one.tags)}`),
      ...account.dataStores.map(
        (one) => `data store ${of} ${one.name} ${one.port} ${one.catalog_name} gateway ${one.gateway_port}`,
      ),
      ...account.sensors.map((one) => `sensor ${one.schema}.${one.table} ${json(one.columns)} ${one.status}`),
      ...account.environments.flatMap(({ id, ...sources }) =>
        (["python_package", "r_package"] as const).flatMap((source) =>
          Object.entries(sources[source]).map(
            ([name, version]) => `${source} ${id} ${name}==${version === latestVersion(name) ? "latest" : version}`,
          ),
        ),
      ),
      ...account.folders.map((one) => `folder ${of} ${one.id} ${one.location} ${one.name} ${json(one.policy)}`),
      ...account.objects.map((one) => `object ${of} ${one.source_type} ${one.id} ${json(one.policy)}`),
    ];
  });
}

export function linesOfSecond(state: PlatformState): Lines {
  const names = new Map(state.accounts.map(({ id, name }) => [id, name]));
  const of = ({ accountId }: { readonly accountId: number }) => names.get(accountId) ?? "";
  return [
    ...state.accounts.map((one) => `account ${one.name} at ${one.storageLocation || "no location"}`),
    ...state.users.map((one) => `user ${of(one)} ${one.email} ${one.state}`),
    ...state.groups.map((one) => `group ${of(one)} ${one.name} ${json(one.roles)}`),
    ...state.whitelist.map((one) => `whitelist ${of(one)} ${one.ip}`),
    ...state.commands.map((one) => `command ${of(one)} ${one.commandType} ${one.name} ${json(one.tags)}`),
    ...state.dataStores.map((one) => {
      const gateway = one.gateway["gateway_port"] ?? null;
      return `data store ${of(one)} ${one.name} ${one.port} ${one.catalogName} gateway ${gateway}`;
    }),
    ...state.sensors.map((one) => `sensor ${one.schema}.${one.table} ${json(one.columns)} ${one.status}`),
    ...state.environments.flatMap(({ id, packages }) =>
      packages.map(
        ({ source, name, version }) => `${source} ${id} ${name}==${version === "9.9.9" ? "latest" : version}`,
      ),
    ),
    ...state.folders.map((one) => `folder ${of(one)} ${one.id} ${one.location} ${one.name} ${json(one.policy)}`),
    ...state.objects.map((one) => `object ${of(one)} ${one.type} ${one.id} ${json(one.policy)}`),
  ];
}

/** What was removed, and what is new. */
export function changes(before: Lines, after: Lines): Lines {
  return [...without(before, after).map((line) => `- ${line}`), ...without(after, before).map((line) => `+ ${line}`)];
}

function without(lines: Lines, others: Lines): string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines
    .filter((line) => {
      const count = left.get(line) ?? 0;
      if (count > 0) left.set(line, count - 1);
      return count === 0;
    })
    .sort();
}
