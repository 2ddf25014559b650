import type { extendedGeneral } from "../../switches/extended/general";
import { api, at, type Probe, statusAndBody, type Tester } from "../tester";
import { xapi } from "./paths";

const page = async (t: Tester, query: Record<string, string>, token: string = t.platform.tokens.admin) =>
  t.get(api.stores, { query, token });

export const extendedGeneralProbes: Record<keyof typeof extendedGeneral, Probe> = {
  lacking: async (t) => {
    const reply = await t.get(xapi.groups);
    return [statusAndBody(reply), reply.headers["location"], (await t.get(api.stores)).status];
  },
  unnamedRights: async (t) => {
    const { admin, systemUser, powerless } = t.platform.tokens;
    const seen = [];
    for (const token of [admin, systemUser, powerless])
      for (const path of [xapi.groups, xapi.role(1)]) seen.push((await t.get(path, { token })).status);
    return seen;
  },
  pageBeyondEnd: async (t) => statusAndBody(await page(t, { page: "2" })).text.replace(/\d{4}-[^"]*/g, "time"),
  pageOfEmpty: async (t) => (await page(t, {}, t.platform.tokens.otherAccount)).status,
  pageNumbersExtended: async (t) => at((await page(t, {})).json, "paging_info"),
  pageEndExtended: async (t) => at((await page(t, {})).json, "paging_info"),
  perPageLimit: async (t) => {
    const seen = [];
    for (const size of ["101", "5"]) {
      const reply = await page(t, { per_page: size });
      seen.push([reply.status, at(reply.json, "paging_info", "per_page")]);
    }
    return seen;
  },
};

export const generalCompany = {
  lacking: { extended: ["dataStores"] },
} as const;
