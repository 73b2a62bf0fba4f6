import { formatUsd, readPhrases, type TaskError } from '@mg/contract';
import type { TaskEventRow, TaskSummary } from '@mg/persistence/console';
import type { z } from 'zod';
import { type Caller, seesUpstream } from '../http/caller.js';
import type { taskSchema, taskWithHistorySchema } from './task-schemas.js';

export type TaskView = z.output<typeof taskSchema>;
export type TaskWithHistoryView = z.output<typeof taskWithHistorySchema>;

export function toTaskView(caller: Caller, task: TaskSummary): TaskView {
  const isShown = seesUpstream(caller);
  return {
    id: task.id,
    public_id: task.publicId,
    created_at: toIso(task.createdAt),
    submitted_at: task.submittedAt === undefined ? null : toIso(task.submittedAt),
    finished_at: task.finishedAt === undefined ? null : toIso(task.finishedAt),
    deadline_at: toIso(task.deadlineAt),
    state: task.state,
    api: task.apiVariant,
    user_id: task.userId,
    token_id: task.tokenId,
    wallet_id: task.walletId,
    model: task.model,
    channel: (isShown && task.channelName) || null,
    upstream_model: (isShown && task.upstreamModel) || null,
    upstream_id: (isShown && task.upstreamId) || null,
    seconds: task.seconds,
    price_variant: task.priceVariant ?? null,
    price_version: task.priceVersionId,
    amount: formatUsd(task.amount),
    charged: task.charged === undefined ? null : formatUsd(task.charged),
    progress: task.progress ?? null,
    error: task.error ? showError(task.error) : null,
  };
}

export function toTaskWithHistoryView(
  caller: Caller,
  task: TaskSummary,
  events: readonly TaskEventRow[],
): TaskWithHistoryView {
  return {
    ...toTaskView(caller, task),
    history: events.map(({ at, state, note }) => {
      const shown = seesUpstream(caller) ? note : '';
      return { at: at.toISOString(), state, note: shown, note_phrases: readPhrases(shown) };
    }),
  };
}

function showError({ code, message }: TaskError): TaskView['error'] {
  return { code, message, message_phrases: readPhrases(message) };
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
