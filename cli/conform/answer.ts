import type { z } from "zod";
import type { ReadingName, Readings } from "../../emulator/readings";
import { anyAnswer, rawText, readAnswer } from "../../provider/api/answer";
import { isPlatformError, type PlatformError } from "../../provider/api/errors";
import type { RawAnswer } from "../../provider/api/transport";
import { type Fields, isFields } from "../../provider/values/json";
import { examined } from "./catalogue";
import type { Op } from "./findings";
import { type Found, firstOf, shapeOf, valueIn } from "./forms";

/** An answer as it is. What it tells is noted at its operation. */
export class Answer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
  readonly encoding: string | undefined;
  readonly isEmpty: boolean;
  /** Undefined if the text is not JSON. */
  readonly json: unknown;
  /** Those of a JSON object; anything else has none. */
  readonly fields: Fields;
  /** How the provider understands a refusal; undefined for a success. */
  readonly error: PlatformError | undefined;

  constructor(
    readonly op: Op,
    raw: RawAnswer,
    isText: boolean,
  ) {
    ({ status: this.status, text: this.text, contentType: this.contentType, encoding: this.encoding } = raw);
    this.isEmpty = raw.text.trim() === "";
    this.json = parsed(raw.text);
    this.fields = isFields(this.json) ? this.json : {};
    this.error = refusalIn(op, raw, isText);
  }

  get isHtml(): boolean {
    return /^\s*</.test(this.text);
  }

  /** One that has no JSON is described by what it is instead. */
  get shape(): string {
    if (this.status === 204) return "HTTP 204";
    if (this.isEmpty) return "no body";
    if (this.json === undefined) return this.isHtml ? "an HTML page" : "text";
    return shapeOf(this.json);
  }

  /** Of a list that is bare, or has a name, with or without pages; undefined for any other form. */
  listForm(name: string): "array" | "named" | "paged" | undefined {
    const isNamed = Array.isArray(this.fields[name]);
    const hasPages = "paging_info" in this.fields;
    return firstOf({ array: Array.isArray(this.json), paged: isNamed && hasPages, named: isNamed });
  }

  /** Notes where it is not as the specification says. */
  check(schema: z.ZodType, section?: string): void {
    this.op.check(this.json, schema, section);
  }

  /** Notes its form. One that the emulator does not have stays open; `what` says what is noted of it. */
  form<N extends ReadingName>(reading: N, found: Found<N>, what?: string, op = this.op): void {
    op.reading(reading, found, `another form: ${this.shape}`);
    if (valueIn(found) === undefined && what !== undefined) op.note(`${what} is ${this.shape}`);
  }

  /** Notes the form of an answer that the specification does not show. */
  notShown(): void {
    this.form("notShownAnswer", this.notShownForm(), "the answer");
  }

  notShownForm(): Readings["notShownAnswer"] | undefined {
    if (this.status === 204) return "204";
    if (this.status !== 200) return undefined;
    const { status, packages } = this.fields;
    const names = Object.keys(this.fields);
    const isDetailed = (isFields(status) && names.length === 1) || (status === "success" && Array.isArray(packages));
    return firstOf({
      empty: this.isEmpty,
      null: this.json === null,
      object: isFields(this.json) && names.length === 0,
      detailed: isDetailed,
      done: status === "done" && names.length === 1,
      success: status === "success" && names.length === 1,
    });
  }

  /** Notes what every success should have: JSON, its media type, and HTTP 200. */
  checkBody(): void {
    if (this.isEmpty || this.status === 204) return;
    // The media type alone: the rest of the header is the platform's text.
    const type = /^[\w.+-]+\/[\w.+-]+/.exec(this.contentType ?? "")?.[0] ?? "absent";
    if (this.json === undefined) this.op.deviates("the answer is not JSON", undefined, "1");
    else if (!/^application\/(\S+\+)?json\b/i.test(this.contentType ?? ""))
      this.op.deviates(`the Content-Type of the answer is ${type}, not application/json`, "copes", "1");
    if (this.status !== 200) this.op.note(`succeeds with HTTP ${this.status}`);
  }
}

function refusalIn({ name }: Op, raw: RawAnswer, isText: boolean): PlatformError | undefined {
  const { operation, isExtended } = examined[name];
  try {
    readAnswer(operation, raw, isText ? rawText : anyAnswer);
    return undefined;
  } catch (error) {
    // An answer that is not JSON is a success of another form, which the checks name. But a platform that does not
    // have an operation may answer with a page.
    if (isPlatformError(error, "bad-answer") && !isExtended) return undefined;
    if (isPlatformError(error)) return error;
    throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
