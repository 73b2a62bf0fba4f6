import { setImmediate } from 'node:timers/promises';
import { readObjectInSlices, stringifyInSlices } from '@mg/protocols';
import type { BatchAnswer } from '@mg/transport';

/** The body of an answer on one line. One that is too long, or no JSON, is told by an error in its place. */
export async function readBody({ bytes }: Pick<BatchAnswer, 'bytes'>): Promise<Buffer> {
  if (!bytes) return explain('internal_error', 'The answer is longer than a batch keeps.');
  const body = await readObjectInSlices(bytes, setImmediate);
  return body
    ? stringifyInSlices(body, setImmediate)
    : explain('internal_error', 'The answer is no JSON object.');
}

/** An error in the place of an answer, in the shape of every other one. */
export function explain(code: string, message: string): Buffer {
  return Buffer.from(JSON.stringify({ error: { type: 'api_error', code, message } }));
}
