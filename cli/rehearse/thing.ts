import { unknownValue } from "../../provider/core/engine-values";
import { maskedSecret } from "../pulumi/plain";

/** A resource of ours: in the state, or planned by the program. */
export interface Thing {
  readonly type: string;
  /** Empty for one that is planned only. */
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Inputs and outputs. */
  readonly state: Readonly<Record<string, unknown>>;
}

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
