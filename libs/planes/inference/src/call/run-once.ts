import { createHash } from 'node:crypto';
import { GatewayError } from '@mg/contract';
import { type IdempotentCall, nameReply, type StoredReply } from '@mg/persistence/gateway';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientConnection } from '../edge/client-connection.js';
import { nextTurn } from '../edge/loop-turns.js';
import type { GatewayContext } from './gateway-context.js';
import { fingerprintForm } from '../edge/read-form.js';
import type { CallRecord } from './call-record.js';
import { releaseHold } from './settle.js';
import type { ReceivedBody } from './operation.js';

const MAX_KEY_LENGTH = 255;
/** What keys of lines of batches look like: the id of the batch, and the number of the line. */
const KEY_OF_LINE = /^(?:[a-z]+_)?[0-9a-f]{32}\.\d{1,6}$/;
const HASHED_AT_ONCE = 1024 * 1024;
/**
 * Fallback interval: a call whose process was lost, or that ended while the connection for notifications was down, is never
 * announced.
 */
const RETRY_AFTER_MS = 1_000;
/** Longer than a call may take. */
const WAIT_AT_MOST_MS = 20 * 60 * 1_000;

/** A call as its key knows it: a repeated key has to come with the same body. */
export interface RepeatableCall {
  readonly record: CallRecord;
  readonly body: ReceivedBody;
}

/**
 * Runs a call, or gives the answer of the call that came first with the same Idempotency-Key and body.
 * Those who come while it runs wait for it.
 *
 * @returns whether this call ran.
 * @throws GatewayError `idempotency_conflict` when the key came with another body before, and what `run` throws.
 */
export async function runOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  { record, body }: RepeatableCall,
  gateway: GatewayContext,
  run: (client: ClientConnection) => Promise<void>,
): Promise<boolean> {
  const key = readKey(request, record.isBatched);
  if (key === undefined) {
    await run(new ClientConnection(reply, false));
    return true;
  }
  const call: IdempotentCall = {
    tokenId: record.caller.id,
    key,
    fingerprint: await hashCall(request.url, Buffer.isBuffer(body) ? body : await fingerprintForm(body)),
    requestId: record.requestId,
    owner: gateway.owner,
    isSealed: record.isBatched,
  };
  const stored = await claim(call, record, reply, gateway);
  if (stored !== 'run') {
    if (stored) reply.code(stored.status).headers(stored.headers).send(stored.body);
    return false;
  }
  const claimed = { ...call, requestId: record.requestId };
  await runAndAnnounce(claimed, record, new ClientConnection(reply, true), gateway, run);
  return true;
}

/** A large body is hashed in steps. */
async function hashCall(url: string, body: Buffer): Promise<string> {
  const hash = createHash('sha256').update(`${url}\n`);
  for (let at = 0; at < body.length; at += HASHED_AT_ONCE) {
    hash.update(body.toString('latin1', at, at + HASHED_AT_ONCE));
    if (at > 0) await nextTurn();
  }
  return hash.digest('hex');
}

/**
 * A client's key that looks like that of a line gets another name: its call would otherwise stand in the place of the line's, which
 * would cost nothing.
 */
function readKey(request: FastifyRequest, isLine: boolean): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw new GatewayError(
      'invalid_request',
      `Idempotency-Key must hold 1 to ${MAX_KEY_LENGTH} characters.`,
      {
        param: 'Idempotency-Key',
      },
    );
  }
  return !isLine && KEY_OF_LINE.test(key) ? `client ${key}` : key;
}

/** Waits until the key is ours to run or its answer is there; `undefined` when the client has left meanwhile. */
async function claim(
  call: IdempotentCall,
  record: CallRecord,
  reply: FastifyReply,
  gateway: GatewayContext,
): Promise<'run' | StoredReply | undefined> {
  const first = await claimNow(call, record, gateway);
  if (first !== 'running') return first;
  const startedMs = performance.now();
  const watch = gateway.replyEnds.watch(nameReply(call));
  try {
    while (!reply.raw.destroyed) {
      const claimed = await claimNow(call, record, gateway);
      if (claimed !== 'running') return claimed;
      if (performance.now() - startedMs > WAIT_AT_MOST_MS) throw refuseWaiting();
      await watch.waitForChange(RETRY_AFTER_MS);
    }
    return undefined;
  } finally {
    watch.stop();
  }
}

/** @throws GatewayError `idempotency_conflict` when the key came with another body before. */
async function claimNow(
  call: IdempotentCall,
  record: CallRecord,
  { replies }: GatewayContext,
): Promise<'run' | 'running' | StoredReply> {
  const claimed = await replies.claim(call);
  switch (claimed.state) {
    case 'run':
      record.isTakenOver = claimed.requestId !== record.requestId;
      record.requestId = claimed.requestId;
      return 'run';
    case 'done':
      return claimed.reply;
    case 'running':
      return 'running';
    case 'conflict':
      throw new GatewayError(
        'idempotency_conflict',
        'This Idempotency-Key was used with another request body.',
        { param: 'Idempotency-Key' },
      );
  }
}

function refuseWaiting(): GatewayError {
  return new GatewayError(
    'service_unavailable',
    'The call that came first with this Idempotency-Key is still running; ask again later.',
    { retryAfter: 30 },
  );
}

async function runAndAnnounce(
  call: IdempotentCall,
  record: CallRecord,
  client: ClientConnection,
  gateway: GatewayContext,
  run: (client: ClientConnection) => Promise<void>,
): Promise<void> {
  try {
    await runAndStore(call, record, client, gateway, run);
  } finally {
    // Waiters of this process do not depend on the notification of the database.
    gateway.replyEnds.notify(nameReply(call));
  }
}

async function runAndStore(
  call: IdempotentCall,
  record: CallRecord,
  client: ClientConnection,
  gateway: GatewayContext,
  run: (client: ClientConnection) => Promise<void>,
): Promise<void> {
  const { replies } = gateway;
  try {
    await run(client);
  } catch (error) {
    await giveUp(call, record, gateway);
    throw error;
  }
  const isAnswered = record.reason === 'completed' || record.reason === 'cached';
  const kept = isAnswered ? await client.takeKept() : undefined;
  if (kept) await replies.complete(call, kept);
  else await giveUp(call, record, gateway);
}

/**
 * Lets go of the key of a call that failed: it may be tried again, as another call. One that was taken over stays the same call if
 * its lost process has charged it, and is not to be charged for what that one left otherwise.
 */
async function giveUp(call: IdempotentCall, record: CallRecord, gateway: GatewayContext): Promise<void> {
  const { replies } = gateway;
  if (!record.isTakenOver) return replies.forget(call);
  const isCharged = await replies.isCharged(call.requestId).catch(() => false);
  if (isCharged) return replies.release(call);
  releaseHold(call.requestId, gateway);
  return replies.forget(call);
}
