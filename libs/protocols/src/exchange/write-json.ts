import { randomUUID } from 'node:crypto';
import { joinInSlices } from '@mg/contract';
import { isObject } from '../json.js';
import { decodeSlices, encodePieces, isStandardBase64, toStandardBase64 } from '../standard-base64.js';
import { stringifyInSlices } from '../strict-json/stringify-in-slices.js';
import type { ExchangeAnswer, OutgoingBody } from './exchange.js';
import { encodeBase64, joinBytes, type StoredBytes } from './stored-bytes.js';

type Pause = () => Promise<void>;

/** Bytes of a file that become base64 in one step; a multiple of three, so that slices of it can be joined. */
const SLICE_BYTES = 192 * 1024;
/** Bytes, or characters of base64, that are converted before anything is written: a request may have sixteen such files. */
const SMALL_BYTES = 16 * 1024;

/** A JSON body, written when it is asked for; members that are undefined are left out. */
export function writeJson(value: Readonly<Record<string, unknown>>): OutgoingBody {
  return {
    contentType: 'application/json',
    get bytes() {
      return Buffer.from(JSON.stringify(value));
    },
    writeInSlices: (pause) => stringifyInSlices(value, pause),
  };
}

/**
 * Stored bytes in the place of a text that is their base64, after what stands before it; or a long text that is base64, but not as every
 * provider reads it.
 */
export class StoredBase64 {
  readonly #before: string;
  readonly #source: StoredBytes | string;
  /** Nobody can guess it, so no text of a caller holds it. */
  readonly mark = randomUUID();

  constructor(before: string, source: StoredBytes | string) {
    this.#before = before;
    this.#source = source;
  }

  /** As JSON that is written, the mark stands for the base64. */
  toJSON(): string {
    return this.#before + this.mark;
  }

  encode(): Buffer | StoredBytes {
    const source = this.#source;
    return typeof source === 'string' ? Buffer.from(toStandardBase64(source)) : encodeBase64(source);
  }

  /** @param pause is waited for between two steps, and while stored bytes are read. */
  async encodeInSlices(pause: Pause): Promise<Buffer | StoredBytes> {
    const source = this.#source;
    if (typeof source !== 'string') return encodeBase64(source, pause);
    await pause();
    return joinBytes(await encodePieces(decodeSlices(source, pause)));
  }
}

/** Bytes as a base64 text, such as a `data:` URL, for a member of `writeJsonWithFiles`. */
export function toBase64Text(before: string, bytes: Buffer | StoredBytes): string | StoredBase64 {
  if (!Buffer.isBuffer(bytes)) return new StoredBase64(before, bytes);
  if (bytes.length <= SMALL_BYTES) return `${before}${bytes.toString('base64')}`;
  return new StoredBase64(before, { length: bytes.length, read: () => readInSlices(bytes) });
}

/** A base64 text as every provider reads it, for a member of `writeJsonWithFiles`. */
export function toStandardText(before: string, base64: string): string | StoredBase64 {
  if (base64.length <= SMALL_BYTES) return before + toStandardBase64(base64);
  return isStandardBase64(base64) ? before + base64 : new StoredBase64(before, base64);
}

async function* readInSlices(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}

/** A JSON body with files in it: their base64 is made while the body is sent. */
export function writeJsonWithFiles(value: Readonly<Record<string, unknown>>): OutgoingBody {
  return {
    contentType: 'application/json',
    get bytes() {
      const files = listFiles(value).map((file) => ({ mark: file.mark, encoded: file.encode() }));
      return putFiles(Buffer.from(JSON.stringify(value)), files);
    },
    async writeInSlices(pause) {
      const files: EncodedFile[] = [];
      for (const file of listFiles(value)) {
        files.push({ mark: file.mark, encoded: await file.encodeInSlices(pause) });
      }
      return putFiles(await stringifyInSlices(value, pause), files);
    },
  };
}

/** In the order in which JSON has them. */
function listFiles(value: unknown): readonly StoredBase64[] {
  if (value instanceof StoredBase64) return [value];
  if (Array.isArray(value)) return value.flatMap(listFiles);
  return isObject(value) ? Object.values(value).flatMap(listFiles) : [];
}

interface EncodedFile {
  readonly mark: string;
  readonly encoded: Buffer | StoredBytes;
}

/** Each file in the place of its mark. */
function putFiles(text: Buffer, files: readonly EncodedFile[]): Buffer | StoredBytes {
  const pieces: (Buffer | StoredBytes)[] = [];
  let from = 0;
  for (const { mark, encoded } of files) {
    const at = text.indexOf(mark, from);
    pieces.push(text.subarray(from, at), encoded);
    from = at + mark.length;
  }
  return from === 0 ? text : joinBytes([...pieces, text.subarray(from)]);
}

/** A JSON answer for a client; its bytes are made when they are asked for. */
export function answerJson(value: Readonly<Record<string, unknown>>): Omit<ExchangeAnswer, 'usage'> {
  return answerPieces('application/json; charset=utf-8', [value]);
}

/** The same for texts and JSON values one after another, such as events. */
export function answerPieces(
  contentType: string,
  pieces: readonly (string | Readonly<Record<string, unknown>>)[],
): Omit<ExchangeAnswer, 'usage'> {
  return {
    contentType,
    get bytes() {
      const texts = pieces.map((piece) => (typeof piece === 'string' ? piece : JSON.stringify(piece)));
      return Buffer.from(texts.join(''));
    },
    async writeInSlices(pause) {
      const written: Buffer[] = [];
      for (const piece of pieces) {
        written.push(typeof piece === 'string' ? Buffer.from(piece) : await stringifyInSlices(piece, pause));
      }
      return joinInSlices(written, pause);
    },
  };
}
