import type { JsonObject } from '../json.js';
import { LIGHT, stringifyInSlices, weigh } from '../strict-json/stringify-in-slices.js';
import type { Block, Citation } from './blocks.js';
import type { CanonicalEvent } from './events.js';
import { STEP_CHARACTERS } from './json-text.js';

/** The JSON of one event of a client's stream, and what stands around it. */
interface Frame {
  readonly before: string;
  readonly json: JsonObject;
  readonly after: string;
}

/** Keeps the frames of an event that is long, so that they are written in steps. */
export class LateFrames {
  #kept: Frame[] | undefined;

  /** Whether frames are kept at present, instead of being written at once. */
  get keeps(): boolean {
    return this.#kept !== undefined;
  }

  /** The frame as text; nothing where it is kept. What it holds may be written once the next frames are there. */
  write(before: string, json: JsonObject, after: string): string {
    if (!this.#kept) return before + JSON.stringify(json) + after;
    this.#kept.push({ before, json, after });
    return '';
  }

  /**
   * Writes the frames of an event in steps.
   *
   * @param encode gives its frames to {@link write}, and returns what comes after all of them.
   * @param pause is waited for between two steps.
   */
  async writeInSlices(encode: () => string, pause: () => Promise<void>): Promise<readonly Buffer[]> {
    const kept: Frame[] = [];
    this.#kept = kept;
    const rest = encode();
    this.#kept = undefined;
    const pieces: Buffer[] = [];
    for (const { before, json, after } of kept) {
      await pause();
      pieces.push(Buffer.from(before), await stringifyInSlices(json, pause), Buffer.from(after));
    }
    return rest === '' ? pieces : [...pieces, Buffer.from(rest)];
  }
}

/** Whether an event takes long to write for what it holds beside texts and arguments, which come in pieces. */
export function isLongEvent(event: CanonicalEvent): boolean {
  if (event.type === 'block-start') return isLongBlock(event.block);
  if (event.type !== 'block-delta') return false;
  const { delta } = event;
  if (delta.type === 'signature') return delta.signature.value.length > STEP_CHARACTERS;
  if (delta.type !== 'citation') return false;
  return countCited(delta.citation) > STEP_CHARACTERS;
}

/** Characters of a citation. */
export function countCited({ url = '', title = '', quote = '' }: Citation): number {
  return url.length + title.length + quote.length;
}

/** Whether a block takes long to write: a file, or an item of a protocol's own. */
export function isLongBlock(block: Block): boolean {
  if (block.type === 'opaque') return weigh(block.raw) >= LIGHT;
  if (block.type !== 'media') return false;
  const { source } = block;
  if (source.type === 'bytes') return source.base64.length > STEP_CHARACTERS;
  return source.type === 'text' && source.text.length > STEP_CHARACTERS;
}
