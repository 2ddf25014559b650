import { ifConfigured, leftBehind, managedResources, settingsFinder } from "../pulumi/managed";
import type { StateResource } from "../pulumi/stack";
import type { HeadConfig } from "./head-config";
import { masked } from "./planned";
import type { Exported } from "./state";

/** By URN, what a removal would leave on the platform. The state is read as exported: secrets in it are masked. */
export function leftIn({ deployment }: Exported, config: HeadConfig["plain"]): Map<string, string> {
  const state = masked(deployment?.resources ?? []) as StateResource[];
  // Only whether the extended API is on matters here. The token may be encrypted.
  const known = [...config, ["dataplatform:apiToken", "[secret]"] as const];
  const settingsOf = settingsFinder(state, Object.fromEntries(known.map(([key, value]) => [key, { value }])));
  return new Map(
    managedResources(state).flatMap((one) => {
      // Without the settings, nobody knows which API deletes it: say nothing rather than something wrong.
      const settings = ifConfigured(() => settingsOf(one));
      const left = settings && leftBehind(one, settings.extendedApi);
      return left === undefined ? [] : [[one.urn, left]];
    }),
  );
}
