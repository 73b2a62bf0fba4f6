import { GatewayError } from '@mg/contract';
import {
  BODY_LIMITS,
  GEMINI_NAMES,
  JsonOutline,
  JsonScanner,
  type NameTable,
  parseInSlices,
  rememberScan,
  SNAKE_NAMES,
} from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import type { BodyLease } from './body-budget.js';
import { findDialect } from './find-dialect.js';
import { GatheredBytes } from './gathered-bytes.js';
import { isHeavy, isLarge, nextTurn, ReadingPace } from './loop-turns.js';
import { receiveBody } from './receive-body.js';

const MEBIBYTE = 1024 * 1024;
const MAX_JSON_BYTES = 20 * MEBIBYTE;
/** Bodies up to this size are parsed at once: it takes two milliseconds at most. */
const PARSED_AT_ONCE_BYTES = 64 * 1024;
/** Of a body that the gateway wrote. */
const SCANNED_AT_ONCE_BYTES = 16 * 1024;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

/**
 * The raw bytes of a JSON body, received only now: whoever comes without a key is turned away before. They are checked as
 * they come in, and a large body is parsed in steps, so that nobody's body holds up the others.
 *
 * @throws GatewayError `unsupported_media_type`, `invalid_request` when there is no body, and what receiving throws.
 */
export async function readJsonBody(
  request: FastifyRequest,
  lease: BodyLease,
  maxBytes = MAX_JSON_BYTES,
): Promise<Buffer> {
  const { headers } = request;
  if (headers['content-type'] === undefined && !announcesBody(request)) {
    throw new GatewayError('invalid_request', 'A JSON body is needed.', { param: 'body' });
  }
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw new GatewayError('unsupported_media_type', 'Send the body as application/json.', {
      param: 'Content-Type',
    });
  }
  // Whatever they hold.
  const isShort = Number(headers['content-length'] ?? Infinity) <= PARSED_AT_ONCE_BYTES;
  const outline = isShort ? undefined : new JsonOutline();
  const scanner = new JsonScanner(namesOf(request), BODY_LIMITS, outline);
  const gathered = new GatheredBytes();
  const pace = new ReadingPace();
  const keep = (chunk: Buffer) => {
    gathered.add(chunk);
    return pace.count(chunk.length);
  };
  await receiveBody(request, { maxBytes, lease }, (chunk) => {
    const scanning = pace.readInSteps(chunk, (step) => scanner.push(step));
    return scanning ? scanning.then(() => keep(chunk)) : keep(chunk);
  });
  const members = scanner.end();
  const joined = gathered.join();
  const body = joined instanceof Promise ? await joined : joined;
  rememberScan(body, members, scanner.parts);
  if (outline && isLarge(body.length, scanner.parts)) await parseInSlices(body, outline, nextTurn);
  return body;
}

/** The names that stand in requests of a client's protocol. */
export function namesOf(request: FastifyRequest): NameTable {
  return findDialect(request) === 'gemini-generate' ? GEMINI_NAMES : SNAKE_NAMES;
}

/**
 * Checks and parses a body that the gateway itself wrote, in steps where it is large, for whoever reads it afterwards.
 *
 * @throws GatewayError `invalid_request` where it holds more than a request may.
 */
export async function parseWritten(body: Buffer, names: NameTable = SNAKE_NAMES): Promise<void> {
  if (!isHeavy(body.length)) return;
  const outline = new JsonOutline();
  const scanner = new JsonScanner(names, BODY_LIMITS, outline);
  for (let start = 0; start < body.length; start += SCANNED_AT_ONCE_BYTES) {
    scanner.push(body.subarray(start, start + SCANNED_AT_ONCE_BYTES));
    await nextTurn();
  }
  rememberScan(body, scanner.end(), scanner.parts);
  await parseInSlices(body, outline, nextTurn);
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
