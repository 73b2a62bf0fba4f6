import { isObject, type Json, parseJson } from '../json.js';
import type { RequestLine } from './read-orders.js';

/** What the upstream refuses, as Google does. */
export class GoogleRefusal extends Error {
  constructor(
    readonly code: number,
    readonly status: string,
    message: string,
  ) {
    super(message);
  }

  get body(): unknown {
    const { code, message, status } = this;
    return { error: { code, message, status } };
  }
}

/** What a batch is to be made of. @throws GoogleRefusal */
export function readGoogleOrder(body: unknown): { readonly displayName: string; readonly fileName: string } {
  if (!isObject(body)) return refuse('Invalid JSON payload received.');
  refuseOthers(body, ['batch']);
  const { batch } = body;
  if (!isObject(batch)) return refuse('batch is required.');
  refuseOthers(batch, ['displayName', 'inputConfig', 'priority']);
  const { displayName, inputConfig } = batch;
  if (typeof displayName !== 'string' || displayName === '') return refuse('batch.display_name is required.');
  if (!isObject(inputConfig)) return refuse('batch.input_config is required.');
  refuseOthers(inputConfig, ['fileName']);
  const { fileName } = inputConfig;
  return typeof fileName === 'string' ? { displayName, fileName } : refuse('batch.input_config is empty.');
}

/** The requests of a file; `undefined` where it is no file of requests, or has a key twice. */
export function readGoogleLines(text: string): RequestLine[] | undefined {
  const texts = text.split('\n').filter((line) => line.trim() !== '');
  const lines = texts.map((line): RequestLine | undefined => {
    const { key, request, ...rest } = parseJson(line) ?? {};
    const isFine = typeof key === 'string' && isObject(request) && Object.keys(rest).length === 0;
    return isFine ? { customId: key, body: request } : undefined;
  });
  const known = lines.filter((line) => line !== undefined);
  const keys = new Set(known.map(({ customId }) => customId));
  return known.length > 0 && known.length === texts.length && keys.size === texts.length ? known : undefined;
}

function refuseOthers(value: Json, known: readonly string[]): void {
  const other = Object.keys(value).find((name) => !known.includes(name));
  if (other !== undefined)
    refuse(`Invalid JSON payload received. Unknown name "${other}": Cannot find field.`);
}

function refuse(message: string): never {
  throw new GoogleRefusal(400, 'INVALID_ARGUMENT', message);
}
