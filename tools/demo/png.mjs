/** Makes screenshots of pages small: 256 colours are enough for text on plain areas, and need a third of the space. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

const signature = Buffer.from("89504e470d0a1a0a", "hex");
const channels = 3;

/**
 * @param {Buffer} png as browsers write it: 8 bits of red, green and blue, not interlaced
 * @returns {Buffer} the same picture in its 256 most frequent colours, the others replaced by the nearest of them
 */
export function withPalette(png) {
  const parts = chunksOf(png);
  const header = parts.find(({ type }) => type === "IHDR")?.data ?? Buffer.alloc(13);
  const [width, height, format] = [header.readUInt32BE(0), header.readUInt32BE(4), header.subarray(8).toString("hex")];
  if (format !== "0802000000") throw new Error(`cannot read a PNG of the format ${format}`);
  const packed = Buffer.concat(parts.filter(({ type }) => type === "IDAT").map(({ data }) => data));
  const pixels = unfiltered(inflateSync(packed), width * channels, height);
  const { palette, indexOf } = paletteOf(pixels);
  const rows = Buffer.alloc((width + 1) * height);
  for (let at = 0; at < width * height; at++)
    rows[at + Math.floor(at / width) + 1] = indexOf(pixels.readUIntBE(at * channels, channels));
  header[9] = 3; // colours are indexes
  const written = { IHDR: header, PLTE: palette, IDAT: deflateSync(rows, { level: 9 }), IEND: Buffer.alloc(0) };
  return Buffer.concat([signature, ...Object.entries(written).map(([type, data]) => chunk(type, data))]);
}

/** @param {Buffer} png */
function chunksOf(png) {
  const found = [];
  for (let at = signature.length; at < png.length; ) {
    const end = at + 8 + png.readUInt32BE(at);
    found.push({ type: png.toString("latin1", at + 4, at + 8), data: png.subarray(at + 8, end) });
    at = end + 4;
  }
  return found;
}

/** @param {string} type @param {Buffer} data */
function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/**
 * Each row of a PNG says how its bytes are predicted from those to the left and above.
 * @param {Buffer} rows @param {number} stride @param {number} height
 */
function unfiltered(rows, stride, height) {
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = rows[y * (stride + 1)] ?? 0;
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x;
      const left = x < channels ? 0 : (pixels[at - channels] ?? 0);
      const above = y === 0 ? 0 : (pixels[at - stride] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (pixels[at - stride - channels] ?? 0);
      const predicted = [0, left, above, (left + above) >> 1, nearest(left, above, corner)][filter] ?? 0;
      pixels[at] = (rows[at + y + 1] ?? 0) + predicted;
    }
  }
  return pixels;
}

/** The predictor of Paeth. @param {number} left @param {number} above @param {number} corner */
function nearest(left, above, corner) {
  const [a, b, c] = [Math.abs(above - corner), Math.abs(left - corner), Math.abs(left + above - 2 * corner)];
  if (a <= b && a <= c) return left;
  return b <= c ? above : corner;
}

/** @param {Buffer} pixels */
function paletteOf(pixels) {
  /** @type {Map<number, number>} */
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = pixels.readUIntBE(at, channels);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const colours = [...counts].sort((one, other) => other[1] - one[1]).map(([colour]) => colour);
  const kept = colours.slice(0, 256);
  const palette = Buffer.alloc(kept.length * channels);
  for (const [index, colour] of kept.entries()) palette.writeUIntBE(colour, index * channels, channels);
  const indexes = new Map(colours.map((colour) => [colour, nearestOf(kept, colour)]));
  return { palette, indexOf: (/** @type {number} */ colour) => indexes.get(colour) ?? 0 };
}

/** @param {readonly number[]} kept @param {number} colour */
function nearestOf(kept, colour) {
  const distances = kept.map((other) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}
