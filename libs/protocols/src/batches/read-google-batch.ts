import { GatewayError, omitUndefined } from '@mg/contract';
import { needItems } from '../canonical/check-fields.js';
import { checkModelName } from '../canonical/check-model.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject, keepIntegers } from '../json.js';
import { validate } from '../schema/validate.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { readObjectInSlices } from '../strict-json/read-object-in-slices.js';
import { stringifyInSlices } from '../strict-json/stringify-in-slices.js';
import { type ReadLine, refuseLine } from './batch.js';
import { toCamelNames } from './camel-names.js';
import { googleBatchRequest, MAX_GOOGLE_REQUESTS } from './google-batch-schema.js';
import { MAX_LINE_BYTES } from './line-limits.js';
import { LineTurns } from './line-turns.js';

/** A batch as a caller of Google's API orders it. */
export interface GoogleBatchOrder {
  /** What is shown with the batch. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly input: GoogleBatchInput;
}

/** The requests of a batch, or the id of the file that they are in. */
export type GoogleBatchInput =
  | {
      readonly kind: 'requests';
      readonly lines: readonly { readonly tag: unknown; readonly body: Buffer }[];
    }
  | { readonly kind: 'file'; readonly fileId: string };

const INPUT = 'batch.inputConfig';
const REQUESTS = `${INPUT}.requests.requests`;
/** Where a batch says which file its requests are in. */
export const GOOGLE_BATCH_FILE = `${INPUT}.fileName`;
const FILES = 'files/';
/** Longest key of a request in a file, in characters. */
const MAX_KEY = 512;

/**
 * Reads the body of `models/{model}:batchGenerateContent` or `:asyncBatchEmbedContent`, in camelCase or snake_case.
 *
 * @param model the name in the path, by which every request of the batch goes.
 * @param pause is waited for now and then.
 * @throws GatewayError `invalid_request` naming the field.
 */
export async function readGoogleBatch(
  body: Buffer,
  model: string,
  pause: () => Promise<void>,
): Promise<GoogleBatchOrder> {
  checkModelName(model);
  const parsed = keepIntegers(body, parseRequestBody(body, GEMINI_NAMES));
  const { displayName, inputConfig, webhookConfig } = validate(googleBatchRequest, readNames(parsed)).batch;
  if (webhookConfig !== undefined && webhookConfig !== null)
    refuseField('batch.webhookConfig', 'is not served');
  const details = omitUndefined({
    model,
    displayName: typeof displayName === 'string' ? displayName : undefined,
  });
  const { fileName, requests } = inputConfig;
  if (!fileName)
    return { details, input: { kind: 'requests', lines: await readRequests(requests, model, pause) } };
  if (requests) refuseField(GOOGLE_BATCH_FILE, 'must be left out beside requests');
  return { details, input: { kind: 'file', fileId: fileName.slice(FILES.length) } };
}

async function readRequests(given: unknown, model: string, pause: () => Promise<void>) {
  if (!isObject(given)) return refuseField(`${INPUT}.requests`, `is needed, or ${GOOGLE_BATCH_FILE}`);
  const lines: { tag: unknown; body: Buffer }[] = [];
  const turns = new LineTurns(pause);
  const requests = needItems(given.requests, REQUESTS, MAX_GOOGLE_REQUESTS);
  for (const [at, item] of requests.entries()) {
    await turns.next();
    const name = `${REQUESTS}[${at}]`;
    const { request, metadata } = readItem(item, model, name);
    const bytes = await writeWithin(request, MAX_LINE_BYTES, `${name}.request`, pause);
    turns.count(bytes.length);
    if (metadata) {
      const noted = await writeWithin(metadata, MAX_METADATA_BYTES, `${name}.metadata`, pause);
      turns.count(noted.length);
    }
    lines.push({ tag: metadata, body: bytes });
  }
  return lines;
}

/**
 * Reads a line of the file of a batch: `{"key": "...", "request": {...}}`.
 *
 * @param model the name in the path of the batch.
 * @param pause is waited for now and then.
 */
export async function readGoogleLine(
  text: Buffer,
  model: string,
  pause: () => Promise<void>,
): Promise<ReadLine> {
  const line = await readObjectInSlices(text, pause);
  if (!line) return refuseLine('invalid_json_line', UNREADABLE, null);
  const { key: tag, request } = line;
  if (typeof tag !== 'string' || tag === '' || tag.length > MAX_KEY) {
    return refuseLine('invalid_key', `key must be a string of 1 to ${MAX_KEY} characters.`, 'key');
  }
  try {
    return {
      tag,
      body: await stringifyInSlices(checkRequest(request, model, 'request'), pause),
    };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return refuseLine('invalid_request', error.message, error.param ?? null);
  }
}

const UNREADABLE = 'This line is no JSON object, or holds more than a request may.';

function checkRequest(request: unknown, model: string, name: string): JsonObject {
  if (!isObject(request)) return refuseField(name, 'must be an object');
  const { model: named } = request;
  if (named !== undefined && named !== model && named !== `models/${model}`) {
    refuseField(`${name}.model`, 'must be the model in the path, or left out');
  }
  if (request.stream === true) refuseField(`${name}.stream`, 'must be false in a batch');
  return request;
}

function readItem(item: unknown, model: string, name: string) {
  if (!isObject(item)) return refuseField(name, 'must be an object');
  const { metadata } = item;
  const request = checkRequest(item.request, model, `${name}.request`);
  if (metadata === undefined || metadata === null) return { request, metadata: undefined };
  return isObject(metadata) ? { request, metadata } : refuseField(`${name}.metadata`, 'must be an object');
}

async function writeWithin(value: JsonObject, most: number, name: string, pause: () => Promise<void>) {
  const bytes = await stringifyInSlices(value, pause);
  return bytes.length > most ? refuseField(name, `must hold at most ${most} bytes`) : bytes;
}

/** What a caller may say of a request. */
const MAX_METADATA_BYTES = 16 * 1024;

/** What is read of the envelope, its names in camelCase; requests and what their callers say of them stay as they are. */
function readNames(body: JsonObject): JsonObject {
  const batch = toCamelNames(body.batch, 'batch');
  return {
    batch: isObject(batch) ? { ...batch, inputConfig: toCamelNames(batch.inputConfig, INPUT) } : batch,
  };
}
