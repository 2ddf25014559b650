/** Reads a file out of a zip archive, the only form in which GitHub hands out artifacts. */
import { inflateRawSync } from "node:zlib";

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/** The contents of the archive's only file. */
export function onlyFileIn(zip: Buffer): string {
  const end = zip.lastIndexOf(signature(endOfDirectory));
  if (end === -1) throw new Error("the artifact is not a zip archive");
  const [count, entry] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)];
  if (count !== 1 || zip.readUInt32LE(entry) !== directoryEntry)
    throw new Error(`the artifact has ${count} files, and 1 was expected`);
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const header = zip.readUInt32LE(entry + 42);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const data = zip.subarray(start, start + size);
  if (method === 0) return data.toString("utf8");
  if (method === 8) return inflateRawSync(data).toString("utf8");
  throw new Error(`the artifact is compressed by method ${method}, and only 0 and 8 can be read`);
}

function signature(number: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(number);
  return bytes;
}
