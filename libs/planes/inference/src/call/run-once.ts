import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError } from '@mg/contract';
import type { IdempotentCall, StoredReply } from '@mg/persistence';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ClientConnection } from '../http/client-connection.js';
import { nextTurn } from '../http/loop-turns.js';
import type { Kit } from '../kit.js';
import type { CallRecord } from './call-record.js';

const MAX_KEY_LENGTH = 255;
const HASHED_AT_ONCE = 1024 * 1024;
/** Pauses between two questions: soon at first, then a tenth of the time waited so far, and at most a second. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;
/** Longer than a call may take. */
const WAIT_AT_MOST_MS = 20 * 60 * 1_000;

/** A call as its key knows it. */
export interface RepeatableCall {
  readonly record: CallRecord;
  /** Bytes that tell whether a repeated key comes with the same call. */
  fingerprint(): Buffer | Promise<Buffer>;
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
  { record, fingerprint }: RepeatableCall,
  kit: Kit,
  run: (client: ClientConnection) => Promise<void>,
): Promise<boolean> {
  const key = readKey(request);
  if (key === undefined) {
    await run(new ClientConnection(reply, false));
    return true;
  }
  const call: IdempotentCall = {
    tokenId: record.caller.id,
    key,
    fingerprint: await hashCall(request.url, await fingerprint()),
    requestId: record.requestId,
    owner: kit.owner,
  };
  const stored = await claim(call, record, reply, kit);
  if (stored !== 'run') {
    if (stored) reply.code(stored.status).headers(stored.headers).send(stored.body);
    return false;
  }
  await runAndKeep(call, record, new ClientConnection(reply, true), kit, run);
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

function readKey(request: FastifyRequest): string | undefined {
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
  return key;
}

/** Waits until the key is ours to run or its answer is there; `undefined` when the client has left meanwhile. */
async function claim(
  call: IdempotentCall,
  record: CallRecord,
  reply: FastifyReply,
  kit: Kit,
): Promise<'run' | StoredReply | undefined> {
  const startedMs = performance.now();
  while (!reply.raw.destroyed) {
    const claimed = await kit.replies.claim(call);
    switch (claimed.state) {
      case 'run':
        record.requestId = claimed.requestId;
        return 'run';
      case 'done':
        return claimed.reply;
      case 'conflict':
        throw new GatewayError(
          'idempotency_conflict',
          'This Idempotency-Key was used with another request body.',
          {
            param: 'Idempotency-Key',
          },
        );
      case 'running':
        await pause(performance.now() - startedMs);
    }
  }
  return undefined;
}

/** @throws GatewayError `service_unavailable` when the call that has the key goes on for too long. */
async function pause(waitedMs: number): Promise<void> {
  if (waitedMs > WAIT_AT_MOST_MS) {
    throw new GatewayError(
      'service_unavailable',
      'The call that came first with this Idempotency-Key is still running; ask again later.',
      { retryAfter: 30 },
    );
  }
  await sleep(Math.min(Math.max(waitedMs / 10, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
}

async function runAndKeep(
  call: IdempotentCall,
  record: CallRecord,
  client: ClientConnection,
  kit: Kit,
  run: (client: ClientConnection) => Promise<void>,
): Promise<void> {
  try {
    await run(client);
  } catch (error) {
    await kit.replies.forget(call);
    throw error;
  }
  const kept = record.reason === 'completed' ? client.takeKept() : undefined;
  if (kept) await kit.replies.complete(call, kept);
  else await kit.replies.forget(call);
}
