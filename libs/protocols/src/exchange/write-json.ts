import { randomUUID } from 'node:crypto';
import type { ExchangeAnswer, OutgoingBody } from './exchange.js';
import { encodeBase64, joinBytes, type StoredBytes } from './stored-bytes.js';

/** A JSON body; members that are undefined are left out. */
export function writeJson(value: Readonly<Record<string, unknown>>): OutgoingBody {
  return { contentType: 'application/json', bytes: Buffer.from(JSON.stringify(value)) };
}

/** Stored bytes in the place of a text that is their base64, after what stands before it. */
export class StoredBase64 {
  constructor(
    readonly before: string,
    readonly source: StoredBytes,
  ) {}
}

/** Bytes as a base64 text, such as a `data:` URL, for a member of `writeJsonWithFiles`. */
export function toBase64Text(before: string, bytes: Buffer | StoredBytes): string | StoredBase64 {
  return Buffer.isBuffer(bytes) ? `${before}${bytes.toString('base64')}` : new StoredBase64(before, bytes);
}

/** A JSON body with files in it: those that lie outside memory are read while the body is sent. */
export function writeJsonWithFiles(value: Readonly<Record<string, unknown>>): OutgoingBody {
  const files: StoredBytes[] = [];
  // Nobody can guess the mark, so no text of a caller holds it.
  const mark = randomUUID();
  const text = JSON.stringify(value, (_name, member: unknown) => {
    if (!(member instanceof StoredBase64)) return member;
    files.push(encodeBase64(member.source));
    return `${member.before}${mark}`;
  });
  const pieces = text.split(mark).flatMap((piece, index) => {
    const file = files[index];
    return file ? [Buffer.from(piece), file] : [Buffer.from(piece)];
  });
  return { contentType: 'application/json', bytes: joinBytes(pieces) };
}

/** A JSON answer for a client; its bytes are made when they are asked for. */
export function answerJson(value: Readonly<Record<string, unknown>>): Omit<ExchangeAnswer, 'usage'> {
  return {
    contentType: 'application/json; charset=utf-8',
    json: value,
    get bytes() {
      return Buffer.from(JSON.stringify(value));
    },
  };
}
