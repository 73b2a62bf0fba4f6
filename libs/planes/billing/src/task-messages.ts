import { omitUndefined, TASK_ENDS, TASK_STATES, type TaskEnd, type TaskOpenRequest } from '@mg/contract';
import { z } from 'zod';
import { holdSchema, id, text } from './messages.js';

/** The longest that a provider may take for a video. */
const MAX_DEADLINE_SECONDS = 7 * 24 * 60 * 60;
const MAX_SECONDS = 24 * 60 * 60;

const seconds = z.number().min(0, 'must not be negative').max(MAX_SECONDS);

const task = z.strictObject({
  public_id: text,
  face: z.enum(['generic', 'native']),
  user_id: id,
  seconds: seconds.int(),
  price_variant: text.nullable(),
  callback_url: z.url().nullable(),
  deadline_seconds: z.int().min(1).max(MAX_DEADLINE_SECONDS),
});

/** It does not travel with the message. */
const NO_ORDER = Buffer.alloc(0);

export const taskOpenSchema = z
  .strictObject({ hold: holdSchema(MAX_DEADLINE_SECONDS), task })
  .transform((message): TaskOpenRequest => ({
    hold: message.hold,
    task: {
      id: message.hold.id,
      publicId: message.task.public_id,
      apiVariant: message.task.face,
      userId: message.task.user_id,
      tokenId: message.hold.tokenId,
      walletId: message.hold.walletId,
      model: message.hold.model,
      order: NO_ORDER,
      seconds: message.task.seconds,
      priceVariant: message.task.price_variant ?? undefined,
      callbackUrl: message.task.callback_url ?? undefined,
      deadlineSeconds: message.task.deadline_seconds,
    },
  }));

export const taskChargeSchema = z.strictObject({ task_id: id }).transform((message) => message.task_id);

const taskError = z.strictObject({
  code: text,
  message: z.string(),
  status: z.int().optional(),
  param: z.string().optional(),
  retryAfter: z.int().min(0).optional(),
});

const taskResult = z.strictObject({
  url: z.string(),
  needsKey: z.boolean().optional(),
  lastFrameUrl: z.string().optional(),
  expiresAt: z.number().optional(),
  stored: z.string().optional(),
  native: z.record(z.string(), z.unknown()).optional(),
});

export const taskEndSchema = z
  .strictObject({
    task_id: id,
    state: z.enum(TASK_ENDS),
    from: z.array(z.enum(TASK_STATES)).nullable(),
    error: taskError.nullable(),
    result: taskResult.nullable(),
    actual_seconds: seconds.nullable(),
    note: z.string(),
  })
  .transform((message) => {
    const { from, error, result, actual_seconds: actualSeconds } = message;
    return {
      taskId: message.task_id,
      state: message.state,
      note: message.note,
      ...omitUndefined({
        from: from ?? undefined,
        error: error ?? undefined,
        result: result ?? undefined,
        actualSeconds: actualSeconds ?? undefined,
      }),
    } as TaskEnd;
  });
