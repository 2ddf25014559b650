import { gzipSync } from "node:zlib";

/*
 * A tar writer of our own: the same bytes on every machine. `tar` of GNU and of BSD share no options for that, and a
 * package for it would be one more to trust with what users install.
 */

const block = 512;
/** 1980-01-01: tools that pass a tar file on as zip know no earlier time. */
const fixedTime = 315_532_800;

/**
 * @typedef {object} Entry
 * @property {string} path with forward slashes
 * @property {Buffer} content
 * @property {boolean} [executable]
 */

/** @param {readonly Entry[]} entries @returns {Buffer} the same for the same entries, in whatever order they come */
export function tarGz(entries) {
  const sorted = [...entries].sort((a, b) => (a.path < b.path ? -1 : 1));
  const parts = sorted.flatMap(({ path, content, executable }) => [
    header(path, content.length, executable ? 0o755 : 0o644),
    content,
    Buffer.alloc((block - (content.length % block)) % block),
  ]);
  const zipped = gzipSync(Buffer.concat([...parts, Buffer.alloc(2 * block)]), { level: 9 });
  zipped[9] = 255; // the system that zipped it: unknown
  return zipped;
}

/** The ustar format, which every tar reads. @param {string} path @param {number} size @param {number} mode */
function header(path, size, mode) {
  const { prefix, name } = split(path);
  const bytes = Buffer.alloc(block);
  const number = (/** @type {number} */ value, /** @type {number} */ width) =>
    `${value.toString(8).padStart(width - 1, "0")}\0`;
  bytes.write(name, 0);
  bytes.write(number(mode, 8), 100);
  bytes.write(number(0, 8), 108);
  bytes.write(number(0, 8), 116);
  bytes.write(number(size, 12), 124);
  bytes.write(number(fixedTime, 12), 136);
  bytes.write(" ".repeat(8), 148); // the checksum counts itself as spaces
  bytes.write("0", 156);
  bytes.write("ustar\0", 257);
  bytes.write("00", 263);
  bytes.write(prefix, 345);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return bytes;
}

/** A name has 100 bytes; what is longer is split at a slash. @param {string} path */
function split(path) {
  if (Buffer.byteLength(path) <= 100) return { prefix: "", name: path };
  for (let at = path.indexOf("/"); at > 0; at = path.indexOf("/", at + 1)) {
    const [prefix, name] = [path.slice(0, at), path.slice(at + 1)];
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(name) <= 100) return { prefix, name };
  }
  throw new Error(`${path} is too long for a tar file`);
}
