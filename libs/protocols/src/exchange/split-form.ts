import { omitUndefined } from '@mg/contract';
import type { FormPart } from './exchange.js';

const HEADERS_END = Buffer.from('\r\n\r\n');
const NAME = /[; ]name="([^"]*)"/i;
const FILENAME = /filename="([^"]*)"/i;
/** A part whose bytes are all in memory. */
export interface WholePart extends FormPart {
  readonly bytes: Buffer;
}

const TYPE = /^content-type:\s*(.+)$/im;

/**
 * Splits a whole form that `writeForm` has written: what simulated providers read. Forms from outside are read by a parser
 * with limits.
 *
 * @returns no parts when the body is no form.
 */
export function splitForm(contentType: string, body: Buffer): WholePart[] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1];
  if (boundary === undefined) return [];
  const delimiter = Buffer.from(`--${boundary}`);
  const parts: WholePart[] = [];
  let at = body.indexOf(delimiter);
  for (;;) {
    const start = at + delimiter.length + 2;
    const end = body.indexOf(delimiter, start);
    if (at < 0 || end < 0) return parts;
    const part = readPart(body.subarray(start, end - 2));
    if (part) parts.push(part);
    at = end;
  }
}

function readPart(bytes: Buffer): WholePart | undefined {
  const split = bytes.indexOf(HEADERS_END);
  const head = bytes.subarray(0, Math.max(split, 0)).toString('utf8');
  const name = NAME.exec(head)?.[1];
  if (name === undefined) return undefined;
  const filename = FILENAME.exec(head)?.[1];
  const contentType = TYPE.exec(head)?.[1]?.trim();
  return omitUndefined({ name, filename, contentType, bytes: bytes.subarray(split + HEADERS_END.length) });
}
