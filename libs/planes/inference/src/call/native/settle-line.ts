import { GatewayError } from '@mg/contract';
import { MAX_LINE_BYTES, readObjectInSlices } from '@mg/protocols';
import { MAX_BATCH_ANSWER_BYTES, type SettleStep } from '@mg/transport';
import type { ClientConnection } from '../../edge/client-connection.js';
import { GatheredBytes } from '../../edge/gathered-bytes.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { receiveBody } from '../../edge/receive-body.js';
import { classifyStatus, type Fault } from '../classify-failure.js';
import type { GatewayContext } from '../gateway-context.js';
import type { BilledEndpoint } from '../operation.js';
import type { PreparedAttempt, WholeAnswer } from '../prepared-attempt.js';
import { relay } from '../relay.js';
import { runOnce } from '../run-once.js';
import { release, releaseForGood } from '../settle.js';
import type { TrackedCall } from '../tracked-call.js';
import { type HeldLine, openHeldLine } from './open-line.js';

const MAX_BYTES = MAX_LINE_BYTES + MAX_BATCH_ANSWER_BYTES;
/** Bytes of a provider's error that are read. */
const MAX_ERROR_BYTES = 64 * 1024;
const ANSWERED = 200;
const JSON_TYPE = 'application/json';

/**
 * Charges a line for what its provider answered, and answers as a call would have been answered. Once for each
 * Idempotency-Key: asked again, it gives the same answer.
 *
 * @throws GatewayError for an answer that is an error, or none: the line then costs nothing. `service_unavailable` where the
 *   database does not answer: it is to be asked again.
 */
export async function settleLine(
  step: SettleStep,
  endpoint: BilledEndpoint,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<boolean> {
  const { request, reply, record, lease } = call;
  const gathered = new GatheredBytes();
  await receiveBody(request, { maxBytes: MAX_BYTES, lease }, (chunk) => gathered.add(chunk));
  const bytes = await gathered.join();
  const body = bytes.subarray(0, step.requestBytes);
  const captured = gateway.capture.begin(record.caller, body);
  let ran = true;
  try {
    ran = await runOnce(request, reply, { record, body }, gateway, (client) => {
      captured?.watch(client);
      return settleOnce(
        step,
        { body, answer: bytes.subarray(step.requestBytes) },
        endpoint,
        call,
        client,
        gateway,
      );
    });
  } finally {
    if (ran && captured) gateway.capture.end(captured, record.caller, record.requestId);
  }
  return ran;
}

async function settleOnce(
  step: SettleStep,
  { body, answer }: { readonly body: Buffer; readonly answer: Buffer },
  endpoint: BilledEndpoint,
  call: TrackedCall,
  client: ClientConnection,
  gateway: GatewayContext,
): Promise<void> {
  const { record, lease } = call;
  const line = await openHeldLine(body, step, endpoint, call, gateway).catch(async (error: unknown) => {
    const isLater = error instanceof GatewayError && error.code === 'service_unavailable';
    if (!isLater) await releaseForGood(step.requestId, gateway);
    throw error;
  });
  const { operation, hold, attempt } = line;
  try {
    const prepared = await operation.prepare(attempt, hold);
    if (!prepared)
      throw new GatewayError('upstream_unavailable', 'The channel serves no such calls any more.');
    const read = await readAnswer(step.status, answer, prepared, line, call);
    await relay(
      { kind: 'answer', prepared, answer: read },
      { operation, hold, record, client, lease },
      gateway,
    );
  } catch (error) {
    release(record, hold, gateway);
    throw error;
  }
}

/** @throws GatewayError what the provider answered in the place of an answer. */
async function readAnswer(
  status: number,
  bytes: Buffer,
  prepared: PreparedAttempt,
  line: HeldLine,
  call: TrackedCall,
): Promise<WholeAnswer> {
  if (status !== ANSWERED) {
    const said = prepared.parseUpstreamError(bytes.toString('utf8', 0, MAX_ERROR_BYTES));
    throw fail(classifyStatus(status, said, undefined), line, call);
  }
  const parsed = await readObjectInSlices(bytes, nextTurn);
  try {
    const read = await prepared.readAnswer([{ contentType: JSON_TYPE, bytes, parsed }]);
    noteAttempt('served', status, line.attempt.reason, line, call);
    return read;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw fail({ error, reason: error.message, status, wasted: 'failed' }, line, call);
  }
}

function fail(
  { error, reason, status, wasted }: Pick<Fault, 'error' | 'reason' | 'status' | 'wasted'>,
  line: HeldLine,
  call: TrackedCall,
): GatewayError {
  noteAttempt('failed', status ?? null, `${line.attempt.reason}; ${reason}`, line, call);
  if (wasted) call.record.noteWaste({ reason: wasted, usage: line.sent });
  return error;
}

function noteAttempt(
  outcome: 'served' | 'failed',
  status: number | null,
  reason: string,
  { attempt: { channel } }: HeldLine,
  { record }: TrackedCall,
): void {
  record.attempts.push({ channel: channel.name, outcome, status, latency_ms: 0, reason });
}
