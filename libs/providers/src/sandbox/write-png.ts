import { crc32, deflateSync } from 'node:zlib';

/** One of the four colours of a palette. */
export type Ink = 0 | 1 | 2 | 3;

export interface Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue, from 0 to 255. */
  readonly palette: readonly (readonly [number, number, number])[];
  /** Rows of the same key look the same. */
  rowKey(y: number): string;
  /** Words within the file that no viewer shows. */
  readonly comment: string;
  inkAt(x: number, y: number): Ink;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS_PER_PIXEL = 2;
const PIXELS_PER_BYTE = 8 / BITS_PER_PIXEL;
const INDEXED_COLOUR = 3;

/**
 * Writes an image of four colours.
 *
 * @see https://www.w3.org/TR/png-3/
 */
export function writePng(canvas: Canvas): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(canvas.width, 0);
  header.writeUInt32BE(canvas.height, 4);
  header.writeUInt8(BITS_PER_PIXEL, 8);
  header.writeUInt8(INDEXED_COLOUR, 9);
  return Buffer.concat([
    SIGNATURE,
    writeChunk('IHDR', header),
    writeChunk('PLTE', Buffer.from(canvas.palette.flat())),
    writeChunk('iTXt', Buffer.from(`Comment\0\0\0\0\0${canvas.comment}`)),
    writeChunk('IDAT', deflateSync(paintRows(canvas), { level: 1 })),
    writeChunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each row begins with a byte that says that it is not filtered. A row like the one before is copied. */
function paintRows({ width, height, rowKey, inkAt }: Canvas): Buffer {
  const stride = 1 + Math.ceil(width / PIXELS_PER_BYTE);
  const rows = Buffer.alloc(stride * height);
  let lastKey: string | undefined;
  for (let y = 0; y < height; y += 1) {
    const key = rowKey(y);
    if (key === lastKey) rows.copy(rows, y * stride, (y - 1) * stride, y * stride);
    else paintRow(rows.subarray(y * stride, (y + 1) * stride), width, (x) => inkAt(x, y));
    lastKey = key;
  }
  return rows;
}

function paintRow(row: Buffer, width: number, inkAt: (x: number) => Ink): void {
  for (let x = 0; x < width; x += 1) {
    const at = 1 + Math.floor(x / PIXELS_PER_BYTE);
    const shift = 8 - BITS_PER_PIXEL * ((x % PIXELS_PER_BYTE) + 1);
    row[at] = (row[at] ?? 0) | (inkAt(x) << shift);
  }
}

function writeChunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), data]);
  const chunk = Buffer.alloc(named.length + 8);
  chunk.writeUInt32BE(data.length, 0);
  named.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(named), named.length + 4);
  return chunk;
}
