import type { CapturedBody } from '@mg/persistence/gateway';
import type { FormPart } from '@mg/protocols';
import type { ClientConnection } from '../edge/client-connection.js';
import { redactBody } from './redact-body.js';

/** Of each body so much is kept, from its beginning. */
export const MOST_BYTES = 64 * 1024;
const LONGEST_TYPE = 128;
const TEXT = /json|text\/|event-stream|xml|urlencoded/;

/** A body of which the beginning is kept, as text that may be stored. */
export type BodyText = Pick<CapturedBody, 'part' | 'contentType' | 'bytes' | 'truncated'> & {
  readonly text: string;
};

/** A request's body as it was received: JSON, or a form. */
export type CapturableBody = Buffer | readonly FormPart[];

/** What passes through one call whose bodies are kept. */
export class CapturedCall {
  readonly #request: BodyText;
  readonly #answer: Buffer[] = [];
  #answerBytes = 0;
  #keptBytes = 0;
  #client: ClientConnection | undefined;

  constructor(body: CapturableBody) {
    this.#request = describeRequest(body);
  }

  /** Keeps the beginning of what the client is sent. */
  watch(client: ClientConnection): void {
    this.#client = client;
    client.copyTo((bytes) => this.#keep(bytes));
  }

  /** What was kept; of a call that failed the request alone, for the log has the error. */
  end(): BodyText[] {
    if (this.#client === undefined || this.#answerBytes === 0) return [this.#request];
    const answer = Buffer.concat(this.#answer);
    return [this.#request, toText('response', this.#client.contentType, answer, this.#answerBytes)];
  }

  #keep(bytes: Buffer): void {
    this.#answerBytes += bytes.length;
    if (this.#keptBytes >= MOST_BYTES) return;
    // A copy, since what is sent may be a piece of something larger.
    const kept = Buffer.from(bytes.subarray(0, MOST_BYTES - this.#keptBytes));
    this.#keptBytes += kept.length;
    this.#answer.push(kept);
  }
}

function describeRequest(body: CapturableBody): BodyText {
  if (Buffer.isBuffer(body)) return toText('request', 'application/json', body, body.length);
  let room = MOST_BYTES;
  // What would be cut is not written at all.
  const parts = body.map((part) => {
    const described = describePart(part, room);
    if (described.value !== undefined) room = Math.max(0, room - part.bytes.length);
    return described;
  });
  const described = Buffer.from(JSON.stringify(parts));
  const bytes = body.reduce((sum, part) => sum + part.bytes.length, 0);
  return { ...toText('request', 'multipart/form-data', described, described.length), bytes };
}

/** Files are named, not kept; of a field at most so many bytes. */
function describePart(part: FormPart, most: number): Record<string, unknown> {
  const { name, filename, bytes } = part;
  return filename === undefined && Buffer.isBuffer(bytes)
    ? { name, value: bytes.toString('utf8', 0, most) }
    : { name, filename, bytes: bytes.length };
}

function toText(part: CapturedBody['part'], contentType: string, bytes: Buffer, whole: number): BodyText {
  const type = contentType.slice(0, LONGEST_TYPE);
  const isText = TEXT.test(type) || type === 'multipart/form-data';
  const text = isText ? redactBody(bytes.toString('utf8', 0, MOST_BYTES)) : '';
  return { part, contentType: type, bytes: whole, truncated: !isText || whole > MOST_BYTES, text };
}
