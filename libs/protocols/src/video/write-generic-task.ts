import { omitUndefined, type Task, type TaskState } from '@mg/contract';
import type { JsonObject } from '../json.js';
import { type GatewayExtras, showTaskError, type TaskLinks, toUnixSeconds } from './task-answer.js';

export type GenericTaskStatus = 'queued' | 'in_progress' | 'completed' | 'failed';

/** The specification has four statuses (section 2.8); which kind of failure it was stands in `error.code`. */
const STATUS: Readonly<Record<TaskState, GenericTaskStatus>> = {
  created: 'queued',
  submitting: 'queued',
  submit_unknown: 'queued',
  submitted: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
};

/** A task as the generic video API shows it: to its creator with `gateway`, to those who poll without. */
export function writeGenericTask(
  task: Task,
  { links, gateway }: { links?: TaskLinks | undefined; gateway?: GatewayExtras },
): JsonObject {
  const status = STATUS[task.state];
  return omitUndefined({
    id: task.publicId,
    task_id: task.publicId,
    object: 'video',
    model: task.model,
    status,
    progress: status === 'completed' ? 100 : task.progress,
    created_at: toUnixSeconds(task.createdAt),
    completed_at: task.finishedAt === undefined ? undefined : toUnixSeconds(task.finishedAt),
    video_url: links?.video,
    last_frame_url: links?.lastFrame,
    expires_at: links?.expiresAt === undefined ? undefined : toUnixSeconds(links.expiresAt),
    error: showTaskError(task),
    _gateway: gateway,
  });
}
