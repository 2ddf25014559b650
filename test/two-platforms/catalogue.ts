import type { Group } from "./calls";
import { accessCalls } from "./calls-access";
import { commandCalls } from "./calls-commands";
import { historyCalls } from "./calls-history";
import { callsOfEveryOperation } from "./calls-of-every-operation";
import { thingCalls } from "./calls-things";
import { whitelistCalls } from "./calls-whitelist";

export const catalogue: readonly Group[] = [
  ...callsOfEveryOperation,
  ...whitelistCalls,
  ...commandCalls,
  ...historyCalls,
  ...thingCalls,
  ...accessCalls,
];
