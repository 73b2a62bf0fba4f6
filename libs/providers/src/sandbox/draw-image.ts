import { createHash } from 'node:crypto';
import { type Ink, writePng } from './write-png.js';

/** Longest side that is drawn; larger sizes are drawn smaller, in their proportions. */
const LONGEST_SIDE = 2_048;
/** Blocks of the pattern from side to side. */
const BLOCKS = 8;
const LABEL = 'SIMULATED';
/** Five by seven dots for each letter of the label, a row a number. */
const LETTERS: Readonly<Record<string, readonly number[]>> = {
  S: [0b01111, 0b10000, 0b10000, 0b01110, 0b00001, 0b00001, 0b11110],
  I: [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b11111],
  M: [0b10001, 0b11011, 0b10101, 0b10101, 0b10001, 0b10001, 0b10001],
  U: [0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b01110],
  L: [0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b10000, 0b11111],
  A: [0b01110, 0b10001, 0b10001, 0b11111, 0b10001, 0b10001, 0b10001],
  T: [0b11111, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100, 0b00100],
  E: [0b11111, 0b10000, 0b10000, 0b11110, 0b10000, 0b10000, 0b11111],
  D: [0b11110, 0b10001, 0b10001, 0b10001, 0b10001, 0b10001, 0b11110],
};
const LETTER_WIDTH = 6;
const LETTER_HEIGHT = 7;

export interface Bitmap {
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  /** Distinguishes the images of one call. */
  readonly index: number;
  /** How much of the image is there, from 0 to 1. */
  readonly progress: number;
  /** Whether it is drawn over an image: a frame shows it. */
  readonly edited: boolean;
}

/** A PNG that is always the same for the same prompt: a pattern, and a label that says that it is simulated. */
export function drawImage(image: Bitmap): Buffer {
  const { width, height } = shrink(image);
  const hash = createHash('sha256').update(`${image.index} ${image.prompt}`).digest();
  const shownRows = Math.ceil(height * image.progress);
  const labelled = placeLabel(width, height);
  return writePng({
    width,
    height,
    palette: [mix(hash, 0, 40), mix(hash, 3, 120), mix(hash, 6, 90), [255, 255, 255]],
    comment: `Simulated image: ${image.prompt}`,
    rowKey: (y) => {
      const isEdge = image.edited && isFrame(width >> 1, y, width, height);
      return `${y < shownRows} ${isEdge} ${Math.floor((y * BLOCKS) / height)} ${labelled.rowAt(y)}`;
    },
    inkAt: (x, y) => {
      if (y >= shownRows) return 0;
      const label = labelled.inkAt(x, y);
      if (label !== undefined) return label;
      if (image.edited && isFrame(x, y, width, height)) return 3;
      return inkOfBlock(hash, Math.floor((x * BLOCKS) / width), Math.floor((y * BLOCKS) / height));
    },
  });
}

function shrink({ width, height }: Bitmap): { width: number; height: number } {
  const factor = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * factor)), height: Math.max(1, Math.round(height * factor)) };
}

function mix(hash: Buffer, at: number, base: number): readonly [number, number, number] {
  const tone = (place: number) => base + ((hash[place] ?? 0) % 120);
  return [tone(at), tone(at + 1), tone(at + 2)];
}

/** The right half mirrors the left one. */
function inkOfBlock(hash: Buffer, column: number, row: number): Ink {
  const mirrored = Math.min(column, BLOCKS - 1 - column);
  const value = hash[(row * BLOCKS) / 2 + mirrored] ?? 0;
  return value % 3 === 0 ? 1 : value % 5 === 0 ? 2 : 0;
}

function isFrame(x: number, y: number, width: number, height: number): boolean {
  const edge = Math.max(1, Math.floor(Math.min(width, height) / 40));
  return x < edge || y < edge || x >= width - edge || y >= height - edge;
}

/** White letters on a dark strip across the middle; images too small for it have none. */
function placeLabel(width: number, height: number): Label {
  const dot = Math.floor(width / ((LABEL.length + 1) * LETTER_WIDTH));
  const top = Math.floor((height - LETTER_HEIGHT * dot) / 2);
  const left = Math.floor((width - LABEL.length * LETTER_WIDTH * dot) / 2);
  const rowAt = (y: number) =>
    dot < 1 || y < top - dot || y >= top + (LETTER_HEIGHT + 1) * dot
      ? undefined
      : Math.floor((y - top) / dot);
  return {
    rowAt,
    inkAt: (x, y) => {
      const row = rowAt(y);
      if (row === undefined) return undefined;
      const column = Math.floor((x - left) / dot);
      const letter = LETTERS[LABEL[Math.floor(column / LETTER_WIDTH)] ?? ''];
      const bits = column < 0 ? undefined : letter?.[row];
      const bit = 4 - (column % LETTER_WIDTH);
      return bits !== undefined && bit >= 0 && ((bits >> bit) & 1) === 1 ? 3 : 0;
    },
  };
}

interface Label {
  /** The row of the letters' dots that a row of the image shows; `undefined` outside of the strip. */
  rowAt(y: number): number | undefined;
  inkAt(x: number, y: number): Ink | undefined;
}
