import type { AnyResource } from "../core/define";
import { whitelistedIp } from "./whitelisted-ip";

/** Every resource, in the order in which the documentation lists them. */
export const resources: readonly AnyResource[] = [whitelistedIp];
