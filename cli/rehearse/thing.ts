import { unknownValue } from "../../provider/core/engine-values";
import type { Managed } from "../pulumi/managed";
import { maskedSecret } from "../pulumi/plain";

/** A resource of ours: in the state, or planned by the program, and then without an id. Without a provider: the stack's. */
export type Thing = Pick<Managed, "type" | "id" | "state"> & Partial<Pick<Managed, "provider">>;

/** Stands for a value that is not known before the update, and for a secret in a plan. */
const placeholders: readonly unknown[] = [unknownValue, maskedSecret];

export function isKnown(value: unknown): boolean {
  return value !== undefined && value !== null && !placeholders.includes(value);
}

export function textOf(value: unknown): string | undefined {
  return isKnown(value) && (typeof value === "string" || typeof value === "number") ? String(value) : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.filter(isKnown) : [];
}

/** An id that the emulator can use: its ids are numbers. */
export function numberOf(value: unknown): number | undefined {
  const text = textOf(value);
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
