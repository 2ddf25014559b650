import { deflateSync, gzipSync } from "node:zlib";
import type { Answer } from "./answers";
import type { Switches } from "./switches";

/** An answer as sent over the wire. */
export interface Wire {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

function jsonText(switches: Switches, value: unknown): string {
  const text = JSON.stringify(value);
  if (switches.ids !== "numbers with fraction zero") return text;
  return text.replace(/"(id|account_id|user_id|uid)":(\d+)(?=[,}])/g, '"$1":$2.0');
}

function compress(
  way: Switches["contentEncoding"],
  body: Buffer,
  accepted: string,
): { body: Buffer; encoding?: string } {
  if (body.length === 0 || way === "none") return { body };
  if (way === "deflate when accepted")
    return accepted.includes("deflate") ? { body: deflateSync(body), encoding: "deflate" } : { body };
  if (way === "gzip always" || accepted.includes("gzip")) return { body: gzipSync(body), encoding: "gzip" };
  return { body };
}

export function encode(switches: Switches, answer: Answer, acceptEncoding: string): Wire {
  const headers: Record<string, string> = { ...answer.headers };
  let text = answer.text ?? "";
  if (answer.type !== undefined) headers["content-type"] = answer.type;
  if (answer.json !== undefined) {
    text = (switches.byteOrderMark === "yes" ? "\uFEFF" : "") + jsonText(switches, answer.json);
    if (switches.contentType !== "absent") headers["content-type"] = switches.contentType;
  }
  const { body, encoding } = compress(switches.contentEncoding, Buffer.from(text, "utf8"), acceptEncoding);
  if (encoding) headers["content-encoding"] = encoding;
  if (switches.connection === "close after each answer") headers["connection"] = "close";
  return { status: answer.status, headers, body };
}
