import { deepEqual } from "../../provider/core/properties";
import type { Line } from "../report/model";
import type { PropertyDrift } from "./report";

/** The diff of a property, down to the list elements and object properties that differ. */
export function linesOf({ declared, actual, secret }: PropertyDrift): Line[] {
  if (secret) return [{ sign: " ", text: "differs (secret values)" }];
  return differences("", declared, actual);
}

function differences(path: string, declared: unknown, actual: unknown): Line[] {
  if (Array.isArray(declared) && Array.isArray(actual)) return listDifferences(path, declared, actual);
  if (isObject(declared) && isObject(actual)) {
    const keys = [...new Set([...Object.keys(declared), ...Object.keys(actual)])];
    return keys
      .filter((key) => !deepEqual(declared[key], actual[key]))
      .flatMap((key) => differences(path ? `${path}.${key}` : key, declared[key], actual[key]));
  }
  return both(path, declared, actual);
}

function listDifferences(path: string, declared: readonly unknown[], actual: readonly unknown[]): Line[] {
  const removed = without(declared, actual).map((item) => line("-", path, item));
  const added = without(actual, declared).map((item) => line("+", path, item));
  if (removed.length + added.length === 0)
    return [{ sign: " ", text: `${path ? `${path}: ` : ""}the order differs` }, ...both(path, declared, actual)];
  return [...removed, ...added];
}

function both(path: string, declared: unknown, actual: unknown): Line[] {
  return [line("-", path, declared), line("+", path, actual)];
}

/** Items of `list` that are not in `other`; duplicates count individually. */
function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const left = [...other];
  return list.filter((item) => {
    const index = left.findIndex((candidate) => deepEqual(candidate, item));
    if (index < 0) return true;
    left.splice(index, 1);
    return false;
  });
}

function line(sign: "-" | "+", path: string, value: unknown): Line {
  return { sign, text: `${path ? `${path}: ` : ""}${valueText(value)}` };
}

function valueText(value: unknown): string {
  return value === undefined || value === null ? "(not set)" : JSON.stringify(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
