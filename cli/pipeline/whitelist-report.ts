import { declaredAddresses } from "../../policies/whitelist";
import { unknownValue } from "../../provider/core/engine-values";
import { ownType } from "../../provider/core/urn";
import { code } from "../report/markdown";
import { masked, type Planned, staysBecause } from "./planned";

/** From where users may log in, which no policy says: one line, and none if the plan does not change it. */
export function whitelistLines(planned: readonly Planned[], most = 50): string[] {
  const [before, after] = [addressesIn(planned, "before"), addressesIn(planned, "after")];
  const added = [...after].filter((address) => !before.has(address));
  const undeclared = [...before].filter((address) => !after.has(address));
  const staying = addressesIn(
    planned.filter((one) => staysBecause(one, planned)),
    "before",
  );
  const removed = undeclared.filter((address) => !staying.has(address));
  const kept = undeclared.filter((address) => staying.has(address));
  const exclusive = planned.some((one) => isExclusive(one, "after") && !isExclusive(one, "before"));
  const changes = [
    ...signed("+", added, most),
    ...signed("−", removed, most),
    ...signed("no longer declared, and stays:", kept, most),
    ...(exclusive ? ["− all others (exclusive)"] : []),
  ];
  return changes.length === 0 ? [] : [`**Login whitelist: ${changes.join(", ")}**`];
}

function signed(sign: string, addresses: readonly string[], most: number): string[] {
  const more = addresses.length - most;
  const shown = addresses.slice(0, most).map((address) => `${sign} ${code(address)}`);
  return more > 0 ? [...shown, `${sign} ${more} more`] : shown;
}

function addressesIn(planned: readonly Planned[], when: "before" | "after"): ReadonlySet<string> {
  const found = planned.flatMap((one) => {
    const type = one.isCustom ? ownType(one.type) : undefined;
    if (type !== "WhitelistedIp" && type !== "IpWhitelist") return [];
    // A repair creates again what the state still has.
    if (when === "before" && one.op === "create") return [];
    return declaredAddresses({ type, properties: masked(one[when] ?? {}) });
  });
  return new Set(found.map(({ address }) => (address === unknownValue ? "known after the update" : address)));
}

const isExclusive = ({ type, ...one }: Planned, when: "before" | "after"): boolean =>
  ownType(type) === "IpWhitelist" && one[when]?.["exclusive"] === true;
