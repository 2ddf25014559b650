import { invalid } from "../../answers";
import type { Call } from "../../operation";
import type { pageWays } from "../../switches/define";

type Way = (typeof pageWays)[number];

export interface Page<T> {
  items: T[];
  /** To be spread into the envelope; empty when nothing is said about pages. */
  info: { paging_info?: Record<string, unknown> };
}

function numberOf(call: Call, name: string, standard: number): number {
  const text = call.query[name] ?? call.body[name];
  if (text === undefined) return standard;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw invalid(`${name} must be a positive integer`);
  return value;
}

function perPageOf(call: Call, standard: number): number {
  const asked = numberOf(call, "per_page", standard);
  const limit = call.world.switches.perPageLimit;
  if (limit === "cut to 3") return Math.min(asked, 3);
  if (limit === "honoured" || asked <= 100) return asked;
  if (limit === "cut to 100") return 100;
  throw invalid("per_page is at most 100");
}

function edge(call: Call, value: number, there: boolean): unknown {
  const { switches } = call.world;
  const text = switches.pageNumbersExtended === "text";
  if (there || switches.pageEndExtended === "next number all the same") return text ? String(value) : value;
  return { null: null, absent: undefined, "0": 0 }[switches.pageEndExtended];
}

export function paged<T>(call: Call, way: Way, all: T[]): Page<T> {
  const { switches } = call.world;
  if (way === "all at once") return { items: all, info: {} };
  const ignored = way === "paging_info, page ignored";
  const perPage = perPageOf(call, way === "2 a page with paging_info" ? 2 : 10);
  const page = ignored ? 1 : numberOf(call, "page", 1);
  const last = Math.max(1, Math.ceil(all.length / perPage));
  if (page > last) throw invalid(`Page number: ${page} is out of bounds.`);
  const items = ignored ? all : all.slice((page - 1) * perPage, page * perPage);
  if (way === "10 a page, nothing said") return { items, info: {} };
  const info = {
    previous_page: edge(call, page - 1, page > 1),
    next_page: edge(call, page + 1, !ignored && page < last),
    per_page: switches.pageNumbersExtended === "text" ? String(perPage) : perPage,
  };
  return { items, info: { paging_info: info } };
}
