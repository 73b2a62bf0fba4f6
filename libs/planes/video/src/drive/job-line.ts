import { type Channel, sha256, type Task } from '@mg/contract';
import { parseObject, type VideoOrder } from '@mg/protocols';
import {
  describeJobCall,
  findJobEndpoint,
  type JobCall,
  type JobEndpoint,
  type JobOrder,
  type JobReply,
  type JobRequest,
} from '@mg/providers';
import { askJobSurface } from '@mg/transport';
import type { WorkerKit } from '../worker-kit.js';
import { STEP_TIMEOUT_MS } from './step.js';

/** A task's way to the provider that has its job. */
export interface JobLine {
  readonly channel: Channel;
  readonly endpoint: JobEndpoint;
  readonly call: JobCall;
}

/**
 * The line to the channel and the key that a task was submitted with, whether the channel still takes new ones or not.
 *
 * @returns `gone` when the channel was deleted; `undefined` when it makes no videos any more.
 */
export async function findJobLine(task: Task, kit: WorkerKit): Promise<JobLine | 'gone' | undefined> {
  const channel = task.channelId === undefined ? undefined : await kit.findChannel(task.channelId);
  if (!channel) return 'gone';
  const endpoint = findJobEndpoint(channel, task.upstreamModel ?? '', task.face);
  if (!endpoint) return undefined;
  return layJobLine(channel, endpoint, { ...task, upstreamModel: task.upstreamModel ?? '' }, kit);
}

/** A line to a channel for a task that may be submitted there. */
export function layJobLine(
  channel: Channel,
  endpoint: JobEndpoint,
  facts: { readonly id: string; readonly upstreamModel: string; readonly keyHash: string | undefined },
  { tokenExchange }: WorkerKit,
): JobLine {
  const call = describeJobCall({
    channel,
    endpoint,
    upstreamModel: facts.upstreamModel,
    keyHash: facts.keyHash,
    taskId: facts.id,
    nowMs: Date.now(),
    obtainToken: (cacheKey, makeGrant) => tokenExchange.obtain(`${channel.id} ${cacheKey}`, makeGrant),
  });
  return { channel, endpoint, call };
}

const TURNS = new WeakMap<Channel, number>();

/** The hash of the channel's next key in turn. */
export function nextKeyHash(channel: Channel): string | undefined {
  const turn = TURNS.get(channel) ?? 0;
  TURNS.set(channel, turn + 1);
  const key = channel.apiKeys[turn % Math.max(1, channel.apiKeys.length)];
  return key === undefined ? undefined : sha256(key);
}

/** Asks a provider within the time of a step. @throws UpstreamFailure */
export function askProvider(
  { channel, endpoint }: JobLine,
  request: JobRequest,
  kit: WorkerKit,
  totalMs = STEP_TIMEOUT_MS,
): Promise<JobReply> {
  return askJobSurface(endpoint.surface, request, { ...channel.timeouts, totalMs }, kit.http);
}

/** The order as the task's row keeps it. */
export function readOrder({ face, order }: Task): JobOrder {
  const parsed = parseObject(order) ?? {};
  if (face === 'native') return { face, body: parsed };
  return { face, order: parsed as unknown as VideoOrder };
}

/** What went wrong, in one line. */
export function explain(error: unknown): string {
  if (error instanceof Error) return error.message;
  return String(error);
}
