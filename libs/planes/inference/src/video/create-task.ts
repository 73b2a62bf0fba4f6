import {
  formatUsd,
  GatewayError,
  type NewTask,
  type Task,
  type TaskError,
  type TaskOpenRequest,
} from '@mg/contract';
import {
  type GatewayExtras,
  type JsonObject,
  linkTask,
  namePublicTask,
  type TaskLinks,
  writeGenericTask,
  writeNativeTask,
} from '@mg/protocols';
import { findJobEndpoint } from '@mg/providers';
import type { CallRecord } from '../call/call-record.js';
import { findModel } from '../call/find-model.js';
import { release } from '../call/settle.js';
import type { ClientConnection } from '../http/client-connection.js';
import type { Kit } from '../kit.js';
import { priceTask, type TaskPrice } from './price-task.js';
import type { TaskWatch } from './task-verdicts.js';
import type { VideoCall } from './video-call.js';

/** How long a caller waits for a worker to take the task; then it is told as queued. */
const TAKEN_WITHIN_MS = 5_000;
/** How long they wait while a worker is asking providers: what those say of the order is the answer to it. */
const VERDICT_WITHIN_MS = 30_000;

/**
 * One new video task, from an admitted caller to an answer:
 * find the model -> price -> hold its cost and write the task -> wake a worker -> wait for its verdict.
 *
 * @param base address of this plane as the caller reaches it.
 * @param write how the task is shown; in the words of its face when left out.
 * @throws GatewayError for everything that the task came to nothing by; it then costs nothing.
 */
export async function createTask(
  call: VideoCall,
  base: string,
  record: CallRecord,
  client: ClientConnection,
  kit: Kit,
  write: WriteTask = writeTask,
): Promise<void> {
  record.model = call.model;
  const model = findModel(kit.catalog(), record.caller, call.model, 'video');
  refuseUnservable(call, kit);
  refusePlainCallback(call, kit);
  const price = priceTask(record, model, call);
  const watch = kit.video.verdicts.watch(record.requestId);
  try {
    const opened = await openTask(call, price, record, kit);
    await kit.video.waker.wake(record.requestId);
    const task = (await awaitVerdict(opened.task, watch, kit)) ?? showAsQueued(opened, price);
    noteVerdict(task, record);
    record.cost = price.amount;
    record.status = 200;
    record.reason = 'completed';
    sendTask(task, base, record, client, kit, write);
  } finally {
    watch.stop();
  }
}

/** The worker chooses the channel; here it only matters that there is one. */
function refuseUnservable(call: VideoCall, kit: Kit): void {
  const channels = kit.catalog().channelsBySlug.get(call.model) ?? [];
  const serving = channels.some((channel) =>
    findJobEndpoint(channel, channel.models.get(call.model) ?? call.model, call.face),
  );
  if (serving) return;
  throw new GatewayError(
    'upstream_unavailable',
    call.face === 'native'
      ? `The model "${call.model}" has no channel that speaks the native video API: one of type videonative is needed.`
      : `No channel makes videos with the model "${call.model}" at the moment.`,
  );
}

/** Where it leads is looked at when it is called; that it may not be called at all is told at once. */
function refusePlainCallback({ callbackUrl }: VideoCall, kit: Kit): void {
  if (callbackUrl === undefined || kit.video.allowPrivateUrls || /^https:/i.test(callbackUrl)) return;
  throw new GatewayError('invalid_request', 'callback_url must begin with https://.', {
    param: 'callback_url',
  });
}

/** Holds the cost and writes the task, in one transaction of billing. */
async function openTask(
  call: VideoCall,
  price: TaskPrice,
  record: CallRecord,
  kit: Kit,
): Promise<TaskOpenRequest> {
  const { caller, requestId } = record;
  const task: NewTask = {
    id: requestId,
    publicId: namePublicTask(requestId, call.face, kit.video.key),
    face: call.face,
    userId: caller.userId,
    tokenId: caller.id,
    walletId: caller.walletId,
    model: call.model,
    order: call.order,
    seconds: call.seconds,
    priceVariant: price.variant,
    callbackUrl: call.callbackUrl,
    deadlineSeconds: call.deadlineSeconds,
  };
  const hold = {
    id: requestId,
    walletId: caller.walletId,
    tokenId: caller.id,
    model: call.model,
    priceVersionId: price.versionId,
    wanted: price.amount,
    minimum: price.amount,
    ttlSeconds: call.deadlineSeconds,
    owner: kit.owner,
  };
  const outcome = await kit.video.openings.takeTurn(caller.walletId, () => askBilling({ hold, task }, kit));
  if ('refused' in outcome) throw new GatewayError(outcome.refused, outcome.message);
  return { hold, task };
}

/** A refusal may rest on calls that have ended but whose rows are still on their way: write them, then ask once more. */
async function askBilling(request: TaskOpenRequest, kit: Kit) {
  try {
    const outcome = await kit.video.money.openTask(request);
    if ('granted' in outcome || kit.journal.pending === 0 || kit.journal.failingMs > 0) return outcome;
    await kit.journal.flush();
    return await kit.video.money.openTask(request);
  } catch (error) {
    // Billing may have written the task all the same; the caller is told of a failure and must not pay for it.
    release({ requestId: request.task.id }, kit);
    throw error;
  }
}

/** The task once its submit has come to something, or as it stands when the time is over; `undefined` when it cannot be read. */
async function awaitVerdict(task: NewTask, watch: TaskWatch, kit: Kit): Promise<Task | undefined> {
  const start = performance.now();
  for (let deadline = start + TAKEN_WITHIN_MS; ;) {
    await watch.news(deadline - performance.now());
    const found = await kit.video.tasks.find(task.walletId, task.publicId).catch(() => undefined);
    const isOpen = !found || found.state === 'created' || found.state === 'submitting';
    if (found?.state === 'submitting') deadline = start + VERDICT_WITHIN_MS;
    if (!isOpen || performance.now() >= deadline) return found;
  }
}

function showAsQueued({ task }: TaskOpenRequest, price: TaskPrice): Task {
  const { deadlineSeconds, ...facts } = task;
  const now = Date.now();
  return {
    ...facts,
    state: 'created',
    amount: price.amount,
    priceVersionId: price.versionId,
    channelId: undefined,
    channelName: undefined,
    keyHash: undefined,
    upstreamModel: undefined,
    upstreamId: undefined,
    upstreamData: {},
    progress: undefined,
    result: undefined,
    error: undefined,
    createdAt: now,
    submittedAt: undefined,
    finishedAt: undefined,
    deadlineAt: now + deadlineSeconds * 1_000,
    nextRunAt: now,
    pollFailures: 0,
    charged: undefined,
  };
}

/** A task that no provider took is an error to its creator; one that failed later is a task that failed. */
function noteVerdict(task: Task, record: CallRecord): void {
  const isRefused = task.finishedAt !== undefined && task.submittedAt === undefined;
  if (task.channelName !== undefined) {
    record.channel = task.channelName;
    record.attempts.push({
      channel: task.channelName,
      outcome: isRefused ? 'failed' : 'served',
      status: isRefused ? null : 200,
      latency_ms: record.elapsedMs(),
      reason: isRefused ? (task.error?.message ?? task.state) : explainTaken(task),
    });
  }
  if (isRefused) throw explainRefusal(task.error);
}

function explainTaken(task: Task): string {
  const dropped = listDropped(task);
  return dropped === undefined ? `task ${task.state}` : `task ${task.state}; dropped ${dropped}`;
}

/** Hints that the provider had no place for, as `seed,fps`. */
function listDropped({ upstreamData: { dropped } }: Task): string | undefined {
  return Array.isArray(dropped) ? dropped.join(',').replaceAll(/[^\x20-\x7e]/g, '?') : undefined;
}

function explainRefusal(error: TaskError | undefined): GatewayError {
  const message = error?.message ?? 'The task was called off before it was submitted.';
  if (error?.status === 400) return new GatewayError('invalid_request', message, { param: error.param });
  return new GatewayError(error?.status === 503 ? 'upstream_unavailable' : 'upstream_error', message, {
    retryAfter: error?.retryAfter,
  });
}

/** How the new task is shown to its creator. */
type WriteTask = (
  task: Task,
  extras: { readonly links: TaskLinks | undefined; readonly gateway: GatewayExtras },
) => JsonObject;

const writeTask: WriteTask = (task, extras) =>
  task.face === 'native' ? writeNativeTask(task, extras) : writeGenericTask(task, extras);

function sendTask(
  task: Task,
  base: string,
  record: CallRecord,
  client: ClientConnection,
  kit: Kit,
  write: WriteTask,
): void {
  const gateway = {
    request_id: record.requestId,
    cost: formatUsd(record.cost),
    latency_ms: record.elapsedMs(),
  };
  const links = linkTask(task, base, kit.video.key, Date.now());
  const dropped = listDropped(task);
  client.send(
    {
      'content-type': 'application/json; charset=utf-8',
      'x-request-id': record.requestId,
      'x-gateway-cost': gateway.cost,
      'x-gateway-latency-ms': String(gateway.latency_ms),
      ...(dropped === undefined ? {} : { 'x-gateway-dropped': dropped }),
    },
    Buffer.from(JSON.stringify(write(task, { links, gateway }))),
  );
}
