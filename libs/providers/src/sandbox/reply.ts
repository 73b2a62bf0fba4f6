import type { LocalReply } from '../descriptor.js';

/** A whole answer in JSON. */
export function replyWith(status: number, body: unknown): LocalReply {
  const bytes = Buffer.from(JSON.stringify(body));
  return { status, headers: { 'content-type': 'application/json' }, chunks: once(bytes) };
}

/** A whole answer of any type. */
export function replyBytes(contentType: string, bytes: Buffer): LocalReply {
  return { status: 200, headers: { 'content-type': contentType }, chunks: once(bytes) };
}

/** A whole answer in JSON that takes a while to make: between its pieces others have the event loop. */
export function replyInSteps(write: () => AsyncIterable<string>): LocalReply {
  return { status: 200, headers: { 'content-type': 'application/json' }, chunks: inSteps(write()) };
}

async function* inSteps(pieces: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const piece of pieces) {
    if (piece !== '') yield Buffer.from(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}
