import { z } from 'zod';
import { countMember, textMember } from '../schema/answers.js';
import { NATIVE_TASK_STATUSES } from './write-native-task.js';

const error = z.looseObject({ code: z.string(), message: z.string() });

/** What the answer of the create call says of the call itself. */
const gatewayExtras = z.looseObject({
  request_id: z.string(),
  cost: z.string().meta({ description: 'USD, decimal.' }),
  latency_ms: z.int(),
});

const generic = {
  id: z.string(),
  object: z.literal('video'),
  model: z.string(),
  status: z.enum(['queued', 'in_progress', 'completed', 'failed']),
  created_at: z.int(),
  video_url: textMember,
  last_frame_url: textMember,
};
const percent = z.int().min(0).max(100);
const expiry = { description: 'When the link stops working, in seconds since the epoch.' };

/** Specification, section 2.8. */
export const videoTask = z.looseObject({
  ...generic,
  task_id: z.string(),
  progress: percent.optional(),
  completed_at: countMember,
  expires_at: countMember.meta(expiry),
  error: error.optional(),
  _gateway: gatewayExtras.optional().meta({ description: 'In the answer of the create call.' }),
});

/** The same task for OpenAI's SDKs, which count on every field. */
export const openAiVideo = z.looseObject({
  ...generic,
  progress: percent,
  completed_at: z.int().nullable(),
  expires_at: z.int().nullable().meta(expiry),
  error: error.nullable(),
  prompt: z.string().nullable(),
  remixed_from_video_id: z.string().nullable(),
  seconds: z.string(),
  size: z.string().nullable(),
  _gateway: gatewayExtras.optional().meta({ description: 'In the answer of the create call.' }),
});

export const openAiVideos = z.looseObject({
  object: z.literal('list'),
  data: z.array(openAiVideo),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deletedVideo = z.looseObject({
  id: z.string(),
  object: z.literal('video.deleted'),
  deleted: z.literal(true),
});

/** Specification, section 2.9. */
export const nativeVideoTask = z.looseObject({
  id: z.string(),
  model: z.string(),
  status: z.enum(NATIVE_TASK_STATUSES),
  content: z.looseObject({ video_url: textMember, last_frame_url: z.string().nullish() }).optional(),
  error: error.optional(),
  created_at: z.int(),
  updated_at: z.int(),
  _gateway: gatewayExtras.optional().meta({ description: 'In the answer of the create call.' }),
});

export const nativeVideoTasks = z.looseObject({
  items: z.array(nativeVideoTask),
  total: z.int(),
});

/** What is left of a task that was cancelled or removed. */
export const noTask = z.strictObject({});

export const webhookSecret = z.looseObject({
  secret: z.string().meta({ description: '`whsec_` and base64.' }),
});
