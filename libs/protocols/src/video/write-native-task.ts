import { omitUndefined, type Task, type TaskState } from '@mg/contract';
import { readObject } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';
import { type GatewayExtras, showTaskError, type TaskLinks, toUnixSeconds } from './task-answer.js';

export const NATIVE_TASK_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
export type NativeTaskStatus = (typeof NATIVE_TASK_STATUSES)[number];

/** The specification has four statuses (section 2.9), and success is never `completed`. */
const STATUS: Readonly<Record<TaskState, NativeTaskStatus>> = {
  created: 'queued',
  submitting: 'queued',
  submit_unknown: 'queued',
  submitted: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
};

/** The states that a status of the native API stands for. */
export function nativeStatusToStates(status: NativeTaskStatus): TaskState[] {
  return (Object.keys(STATUS) as TaskState[]).filter((state) => STATUS[state] === status);
}

/** Members of a provider's answer that are ours to say. */
const OURS = new Set(['id', 'model', 'status', 'error', 'created_at', 'updated_at', 'content', '_gateway']);

/**
 * A task as the native video API shows it. What the provider reported of a finished one is shown as it came, but for id,
 * model, times and links, which are the gateway's.
 */
export function writeNativeTask(
  task: Task,
  { links, gateway }: { links?: TaskLinks | undefined; gateway?: GatewayExtras },
): JsonObject {
  const reported = task.result?.native ?? {};
  return omitUndefined({
    id: task.publicId,
    model: task.model,
    status: STATUS[task.state],
    error: showTaskError(task),
    created_at: toUnixSeconds(task.createdAt),
    updated_at: toUnixSeconds(task.finishedAt ?? task.submittedAt ?? task.createdAt),
    content: links && writeContent(readObject(reported.content) ?? {}, links),
    ...Object.fromEntries(Object.entries(reported).filter(([key]) => !OURS.has(key))),
    _gateway: gateway,
  });
}

function writeContent(reported: JsonObject, links: TaskLinks): JsonObject {
  return omitUndefined({
    ...reported,
    video_url: links.video,
    last_frame_url: links.lastFrame ?? reported.last_frame_url,
  });
}
