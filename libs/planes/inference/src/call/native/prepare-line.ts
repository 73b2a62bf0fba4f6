import { GatewayError, type Model } from '@mg/contract';
import { gatherBytes } from '@mg/protocols';
import type { Plan } from '@mg/routing';
import { NATIVE_OUTCOME_HEADER, type NativeOutcome, type NativeRoute, type PrepareStep } from '@mg/transport';
import type { FastifyReply } from 'fastify';
import { findModel } from '../find-model.js';
import type { GatewayContext } from '../gateway-context.js';
import type { Hold } from '../hold.js';
import { isLimited, limitCall } from '../limit-call.js';
import type { BilledEndpoint, Operation, ReceivedBody } from '../operation.js';
import { receive } from '../receive.js';
import { reserve } from '../reserve.js';
import { releaseForGood } from '../settle.js';
import type { TrackedCall } from '../tracked-call.js';
import { nextTurn } from '../../edge/loop-turns.js';
import {
  findBatchEndpoint,
  findNativeAttempt,
  isBatchable,
  type NativeAttempt,
} from './find-native-attempt.js';

/** Owner of holds that belong to a batch: no process, so that nothing but their deadline ends them. */
const OWNER = 'batch';

/**
 * Holds the worst case of a line, and answers what its provider is to be sent. The money is held for the batch: it stands until
 * the line is settled or released, or its time is over.
 *
 * @throws GatewayError what the line ends with: it cannot be paid for, or is wrong.
 */
export async function prepareLine(
  step: PrepareStep,
  endpoint: BilledEndpoint,
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<boolean> {
  const { request, reply, record, lease } = call;
  const body = await receive(request, endpoint, lease, gateway.spool);
  let namesFiles = false;
  const onStoredFiles = () => (namesFiles = true);
  const opening = { caller: record.caller, lease, onStoredFiles };
  const operation = await endpoint.open(body, request, gateway, opening);
  record.describe(operation);
  const model = findModel(gateway.catalog(), record.caller, operation.model, operation.kind);
  record.resolve(model.slug);
  const native = isBatchable(operation) ? findNativeAttempt(model, gateway) : undefined;
  if (!native || !isBatchable(operation)) return answer(reply, { kind: 'none' });
  const path = await findPath(operation, model, native, call);
  if (path === undefined) return answer(reply, { kind: 'none' });
  if (namesFiles && !(await isReadWithoutFiles(body, endpoint, { model, native }, call, gateway))) {
    return answer(reply, { kind: 'none' });
  }
  const { route, attempt } = native;
  if (step.busy.some((one) => isSame(one, route))) return answer(reply, { kind: 'busy', route });
  const plan = { attempts: [attempt], cooldownUntilMs: undefined };
  await takeLimits(operation, model, plan, call, gateway);
  const hold = await holdForBatch(step, operation, { model, plan }, call, gateway);
  try {
    const bytes = await writeRequest(operation, native, hold);
    const { versionId: priceVersionId } = hold.price;
    const { inputTokens: sentTokens } = operation.approximateSent(hold);
    const held = { granted: hold.granted.toString(), priceVersionId, model: model.slug, sentTokens };
    return answer(reply, { kind: 'native', route, endpoint: path, hold: held }, bytes);
  } catch (error) {
    await releaseForGood(step.requestId, gateway);
    throw error;
  }
}

function answer(reply: FastifyReply, outcome: NativeOutcome, bytes: Buffer = Buffer.alloc(0)): false {
  reply.header(NATIVE_OUTCOME_HEADER, JSON.stringify(outcome)).type('application/json').send(bytes);
  return false;
}

function isSame(left: NativeRoute, right: NativeRoute): boolean {
  return (
    left.channelId === right.channelId &&
    left.keyFingerprint === right.keyFingerprint &&
    left.upstreamModel === right.upstreamModel
  );
}

/**
 * The path at which the channel would be asked, in whichever wire format: found out with the hold that the line would have.
 * `undefined` where it cannot carry the line: as a call, another channel may.
 */
async function findPath(
  operation: Operation,
  model: Model,
  { attempt }: NativeAttempt,
  { record }: TrackedCall,
): Promise<string | undefined> {
  const plan = { attempts: [attempt], cooldownUntilMs: undefined };
  const { price, wanted, toHold } = operation.bound(model, plan, record);
  const hold = toHold({ requestId: record.requestId, granted: wanted, price });
  try {
    const prepared = await operation.prepare(attempt, hold);
    return prepared && findBatchEndpoint(prepared, attempt);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

/**
 * Whether a line that names files is read without them, as it will be when it is settled: they may be gone by then, and the
 * provider has been paid. A line that is converted is not.
 */
async function isReadWithoutFiles(
  body: ReceivedBody,
  endpoint: BilledEndpoint,
  { model, native }: { readonly model: Model; readonly native: NativeAttempt },
  call: TrackedCall,
  gateway: GatewayContext,
): Promise<boolean> {
  const { request, record, lease } = call;
  try {
    const opening = { caller: record.caller, lease, isOver: true };
    const operation = await endpoint.open(body, request, gateway, opening);
    return isBatchable(operation) && (await findPath(operation, model, native, call)) !== undefined;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

/** Limits of the caller and of the model. Those of the channel are for calls: batches have others at their provider. */
async function takeLimits(
  operation: Operation,
  model: Model,
  plan: Plan,
  { reply, record }: TrackedCall,
  gateway: GatewayContext,
): Promise<void> {
  if (!isLimited(record.caller, [{ model, plan: NOWHERE }])) return;
  const own: Pick<Operation, 'bound'> = { bound: () => operation.bound(model, plan, record) };
  await limitCall(own, { model, plan: NOWHERE, record, reply }, gateway);
}

const NOWHERE: Plan = { attempts: [], cooldownUntilMs: undefined };

async function holdForBatch(
  { batchId, holdSeconds: ttlSeconds }: PrepareStep,
  operation: Operation,
  { model, plan }: { readonly model: Model; readonly plan: Plan },
  { record }: TrackedCall,
  gateway: GatewayContext,
): Promise<Hold> {
  const bound = operation.bound(model, plan, record);
  const owner = { instance: OWNER, epoch: batchId };
  const ofBatch: typeof bound = {
    ...bound,
    ttlSeconds,
    toHold: (hold) => bound.toHold(hold),
    openHold: (request) => gateway.wallet.openHold({ ...request, owner }),
  };
  return reserve({ bound: () => ofBatch }, { model, plan, record }, gateway);
}

async function writeRequest(operation: Operation, { attempt }: NativeAttempt, hold: Hold): Promise<Buffer> {
  const prepared = await operation.prepare(attempt, hold);
  const [first] = prepared?.bodies ?? [];
  if (!first) throw new TypeError('A line that was prepared before cannot be prepared again.');
  return gatherBytes(first.bytes, nextTurn);
}
