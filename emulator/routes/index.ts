import type { Route } from "../router.js";
import { accountRoutes } from "./accounts.js";
import { whitelistRoutes } from "./whitelist.js";

export const routes: readonly Route[] = [...whitelistRoutes, ...accountRoutes];
