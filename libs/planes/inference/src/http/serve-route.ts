import { type CallerToken, GatewayError, HOPS_HEADER, readHops } from '@mg/contract';
import {
  BODY_LIMITS,
  GEMINI_NAMES,
  joinInSlices,
  JsonScanner,
  parseInSlices,
  rememberScan,
  SNAKE_NAMES,
} from '@mg/protocols';
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { admit } from '../access/admit.js';
import type { FairShare } from '../access/fair-share.js';
import { CallRecord } from '../call/call-record.js';
import { record as recordCall } from '../call/record.js';
import { runOnce } from '../call/run-once.js';
import type { Kit } from '../kit.js';
import type { BodyLease } from './body-budget.js';
import type { ClientConnection } from './client-connection.js';
import { type EndpointDialect, findDialect } from './find-dialect.js';
import { isHeavy, nextTurn } from './loop-turns.js';
import { receiveBody } from './receive-body.js';
import { toGatewayError } from './render-error.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Dialect of the endpoint's errors. */
    protocol?: EndpointDialect;
  }
}

const MEBIBYTE = 1024 * 1024;
const MAX_JSON_BYTES = 20 * MEBIBYTE;
/** Enough for the longest context that any model takes, as text. */
const MAX_FREE_JSON_BYTES = 4 * MEBIBYTE;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/** Registers a path's methods, and answers 405 to every other one. */
export function serve(
  scope: FastifyInstance,
  url: string,
  protocol: EndpointDialect,
  handlers: Partial<Record<'GET' | 'POST' | 'DELETE', Handler>>,
): void {
  const config = { protocol };
  const allowed = Object.keys(handlers);
  // Fastify answers HEAD wherever there is a GET.
  const served = handlers.GET ? [...allowed, 'HEAD'] : allowed;
  for (const [method, handler] of Object.entries(handlers)) scope.route({ method, url, config, handler });
  scope.route({
    method: METHODS.filter((method) => !served.includes(String(method))),
    url,
    config,
    handler: async (request, reply) => {
      reply.header('allow', allowed.join(', '));
      throw new GatewayError(
        'method_not_allowed',
        `This path takes ${allowed.join(' and ')}, not ${request.method}.`,
      );
    },
  });
}

/**
 * A call that costs nothing and still wants a key.
 *
 * @param share what each key may have of such calls.
 */
export function free(
  kit: Kit,
  answer: (caller: CallerToken, request: FastifyRequest, reply: FastifyReply, kit: Kit) => unknown,
  share: FairShare = kit.shares.calls,
): Handler {
  return async (request, reply) => {
    const caller = await admit(request, kit);
    return share.run(caller.id, () => answer(caller, request, reply, kit));
  };
}

/** A free call with a JSON body. */
export interface FreeCall {
  readonly caller: CallerToken;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: Buffer;
}

/** A call with a JSON body that costs nothing and still wants a key, whose wallet holds something. */
export function freeWithBody(kit: Kit, answer: (call: FreeCall, kit: Kit) => unknown): Handler {
  const count: Parameters<typeof free>[1] = async (caller, request, reply) => {
    await kit.funds.need(caller);
    const lease = kit.bodies.open(caller.id);
    try {
      const body = await readBody(request, lease, MAX_FREE_JSON_BYTES);
      return await answer({ caller, request, reply, body }, kit);
    } finally {
      lease.release();
    }
  };
  return free(kit, count, kit.shares.counts);
}

/** What a billed endpoint does once its caller is admitted. */
export interface BilledRun {
  /** Bytes that tell whether a repeated Idempotency-Key comes with the same call. */
  fingerprint(): Buffer | Promise<Buffer>;
  run(record: CallRecord, client: ClientConnection): Promise<void>;
}

/**
 * A call that costs money: admitted, run once by its Idempotency-Key, and written down whatever becomes of it.
 *
 * @param open reads the body, which counts against the gateway's budget until the call ends.
 */
export function billed(
  endpoint: string,
  open: (request: FastifyRequest, lease: BodyLease) => Promise<BilledRun>,
  kit: Kit,
): Handler {
  return async (request, reply) => {
    const caller = await admit(request, kit);
    const record = new CallRecord(request.id, endpoint, caller);
    record.hops = readHops(request.headers[HOPS_HEADER], kit.installation);
    const lease = kit.bodies.open(caller.id);
    let ran = true;
    kit.metrics.inFlight.inc();
    try {
      const { fingerprint, run } = await open(request, lease);
      ran = await runOnce(request, reply, { record, fingerprint }, kit, (client) => run(record, client));
    } catch (error) {
      const shown = toGatewayError(error, request, kit.logger);
      record.status = shown.status;
      record.errorCode = shown.code;
      record.reason = record.attempts.length > 0 ? 'upstream_failed' : 'refused';
      throw shown;
    } finally {
      releaseWhenSent(lease, reply);
      kit.metrics.inFlight.dec();
      if (ran) recordCall(record, kit);
    }
    return reply;
  };
}

/** An answer that a slow client has not taken yet still lies in memory. */
function releaseWhenSent(lease: BodyLease, { raw }: FastifyReply): void {
  if (raw.writableEnded && !raw.writableFinished && !raw.destroyed) raw.once('close', () => lease.release());
  else lease.release();
}

/** Whether the caller asked that nothing be left out. */
export function isStrict({ headers }: FastifyRequest): boolean {
  return headers['x-gateway-strict'] === '1';
}

/** A billed call with a JSON body. */
export interface JsonCall {
  readonly request: FastifyRequest;
  readonly body: Buffer;
  readonly record: CallRecord;
  readonly client: ClientConnection;
  readonly lease: BodyLease;
}

/** A call that costs money and comes as JSON; `answer` reads the body only once its Idempotency-Key is its own. */
export function billedJson(endpoint: string, answer: (call: JsonCall) => Promise<void>, kit: Kit): Handler {
  return billed(
    endpoint,
    async (request, lease) => {
      const body = await readBody(request, lease);
      return {
        fingerprint: () => body,
        run: (record, client) => answer({ request, body, record, client, lease }),
      };
    },
    kit,
  );
}

/**
 * The raw bytes of a JSON body, received only now: whoever comes without a key is turned away before. They are checked as
 * they come in, and a large body is parsed in steps, so that nobody's body holds up the others.
 *
 * @throws GatewayError `unsupported_media_type`, `invalid_request` when there is no body, and what receiving throws.
 */
export async function readBody(
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
  const isGemini = findDialect(request) === 'gemini-generate';
  const scanner = new JsonScanner(isGemini ? GEMINI_NAMES : SNAKE_NAMES, BODY_LIMITS);
  const chunks: Buffer[] = [];
  let length = 0;
  await receiveBody(request, { maxBytes, lease }, (chunk) => {
    scanner.push(chunk);
    chunks.push(chunk);
    length += chunk.length;
  });
  const members = scanner.end();
  const body = isHeavy(length) ? await joinInSlices(chunks, nextTurn) : Buffer.concat(chunks, length);
  rememberScan(body, members);
  if (isHeavy(length)) await parseInSlices(body, scanner.longStrings, nextTurn);
  return body;
}

function announcesBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}
