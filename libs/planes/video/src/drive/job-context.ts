import { setImmediate } from 'node:timers/promises';
import type { Channel, Task } from '@mg/contract';
import { parseObject, readObjectInSlices, type VideoOrder } from '@mg/protocols';
import {
  describeJobCall,
  findJobEndpoint,
  type JobCall,
  type JobEndpoint,
  type JobOrder,
  type JobReply,
  type JobRequest,
} from '@mg/providers';
import { callJobSurface } from '@mg/transport';
import type { WorkerContext } from '../worker-context.js';
import { STEP_TIMEOUT_MS } from './step.js';

/** The channel, endpoint and credentials by which a provider is called for one task. */
export interface JobContext {
  readonly channel: Channel;
  readonly endpoint: JobEndpoint;
  readonly call: JobCall;
  /** Gateways that the task's order came through. */
  readonly hops: string | undefined;
}

/**
 * The context of the channel and key that a task was submitted with, whether the channel still takes new tasks or not.
 *
 * @returns `gone` when the channel was deleted; `undefined` when it makes no videos any more.
 */
export async function findJobContext(
  task: Task,
  worker: WorkerContext,
): Promise<JobContext | 'gone' | undefined> {
  const channel = task.channelId === undefined ? undefined : await worker.findChannel(task.channelId);
  if (!channel) return 'gone';
  const endpoint = findJobEndpoint(channel, task.upstreamModel ?? '', task.apiVariant);
  if (!endpoint) return undefined;
  return createJobContext(channel, endpoint, { ...task, upstreamModel: task.upstreamModel ?? '' }, worker);
}

/** The context of a channel for a task that may be submitted there. */
export function createJobContext(
  channel: Channel,
  endpoint: JobEndpoint,
  facts: Pick<Task, 'id' | 'keyHash' | 'hops'> & { readonly upstreamModel: string },
  { tokenExchange }: WorkerContext,
): JobContext {
  const call = describeJobCall({
    channel,
    endpoint,
    upstreamModel: facts.upstreamModel,
    keyHash: facts.keyHash,
    taskId: facts.id,
    nowMs: Date.now(),
    obtainToken: (cacheKey, makeGrant) => tokenExchange.obtain(`${channel.id} ${cacheKey}`, makeGrant),
  });
  return { channel, endpoint, call, hops: facts.hops };
}

/** Asks a provider within the time of a step. @throws UpstreamFailure */
export function askProvider(
  { channel, endpoint, hops }: JobContext,
  request: JobRequest,
  worker: WorkerContext,
  totalMs = STEP_TIMEOUT_MS,
): Promise<JobReply> {
  return worker.trace.request(channel, (traceparent) =>
    callJobSurface(
      endpoint.surface,
      { ...request, hops, traceparent },
      { ...channel.timeouts, totalMs },
      worker.http,
    ),
  );
}

/** Bytes of an order; those with pictures in them are longer, and are read in steps. */
export const READ_AT_ONCE = 64 * 1024;

export interface FetchedOrder {
  readonly order: JobOrder;
  /** Whether it carries pictures or the like, and is not to be fetched often. */
  readonly isLong: boolean;
}

/** The order of a task that may have to be sent; `undefined` where it is not kept any more. */
export async function fetchOrder(
  { id, apiVariant }: Task,
  { store }: Pick<WorkerContext, 'store'>,
): Promise<FetchedOrder | undefined> {
  const order = await store.readOrder(id);
  if (order === undefined) return undefined;
  const isLong = order.length > READ_AT_ONCE;
  const inSlices = isLong ? await readObjectInSlices(order, setImmediate) : undefined;
  // The reader in slices keeps to the limits of answers, which are not quite those of the requests that orders came in.
  const body = inSlices ?? parseObject(order.toString('utf8')) ?? {};
  if (apiVariant === 'native') return { order: { apiVariant, body }, isLong };
  return { order: { apiVariant, order: body as unknown as VideoOrder }, isLong };
}
