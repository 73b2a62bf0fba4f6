import type { ErrorCode } from '@mg/contract';
import { CALL_HEADERS, errorResponses, ref } from '../http/openapi-parts.js';
import { integer, type Schema, text } from '../http/openapi-schemas.js';

const CREATE_ERRORS: readonly ErrorCode[] = [
  'invalid_request',
  'invalid_api_key',
  'insufficient_balance',
  'model_not_allowed',
  'model_not_found',
  'model_not_priced',
  'idempotency_conflict',
  'quota_exceeded',
  'upstream_error',
  'upstream_unavailable',
  'service_unavailable',
];
const POLL_ERRORS: readonly ErrorCode[] = ['invalid_api_key', 'task_not_found', 'service_unavailable'];

const GENERIC = '/v1/video/generations';
const NATIVE = '/videonative/api/v3/contents/generations/tasks';
const TASK_ID = { name: 'task_id', in: 'path', required: true, schema: text };
const POLL_PARAMETERS = [
  TASK_ID,
  { name: 'model', in: 'query', schema: text, description: 'Not needed: a task knows its channel.' },
];

/** The paths of both video APIs. */
export function describeVideoPaths(): Record<string, Schema> {
  return {
    [GENERIC]: { post: createOperation('A video, made as a task', 'VideoGenerationRequest', 'VideoTask') },
    [`${GENERIC}/{task_id}`]: { get: pollOperation('VideoTask') },
    [`${GENERIC}/{task_id}/content`]: { get: contentOperation() },
    [NATIVE]: {
      post: createOperation(
        'A video by the native API, for channels of type videonative',
        'NativeVideoTaskRequest',
        'NativeVideoTask',
      ),
      get: listOperation(),
    },
    [`${NATIVE}/{task_id}`]: {
      get: pollOperation('NativeVideoTask'),
      delete: {
        summary: 'Cancels a task that waits, or removes one that has ended',
        parameters: [TASK_ID],
        responses: {
          200: { description: 'Done: money that was charged for a cancelled task is back.' },
          ...errorResponses([...POLL_ERRORS, 'conflict']),
        },
      },
    },
    ...describeOpenAiVideoPaths(),
    '/v1/webhooks/secret': {
      get: {
        summary: 'The secret that webhooks to this API key are signed with',
        responses: {
          200: { description: '`{secret}`, as `whsec_` and base64.' },
          ...errorResponses(['invalid_api_key']),
        },
      },
    },
  };
}

/** The same tasks in the words of OpenAI's video API. */
function describeOpenAiVideoPaths(): Record<string, Schema> {
  const id = [{ ...TASK_ID, name: 'video_id' }];
  const read = errorResponses(['invalid_api_key', 'not_found', 'service_unavailable']);
  const create = createOperation("A video, as OpenAI's SDK orders it", 'VideoGenerationRequest', 'VideoTask');
  return {
    '/v1/videos': {
      post: create,
      get: {
        summary: "The caller's videos, newest first; free",
        responses: { 200: { description: 'A page.' }, ...read },
      },
    },
    '/v1/videos/{video_id}': {
      get: {
        summary: 'A video as it stands; free',
        parameters: id,
        responses: { 200: answer('The video.', 'VideoTask'), ...read },
      },
      delete: {
        summary: 'Removes a video that is done',
        parameters: id,
        responses: { 200: { description: 'Removed.' }, ...read, ...errorResponses(['conflict']) },
      },
    },
    '/v1/videos/{video_id}/content': { get: { ...contentOperation(), parameters: id } },
  };
}

function answer(description: string, schema: string): Schema {
  return { description, content: { 'application/json': { schema: ref(schema) } } };
}

function createOperation(summary: string, request: string, response: string): Schema {
  return {
    summary,
    description:
      'The cost is held at once, charged when a provider takes the task, and refunded when it fails.',
    parameters: CALL_HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: ref(request) } } },
    responses: { 200: answer('The task.', response), ...errorResponses(CREATE_ERRORS) },
  };
}

function pollOperation(response: string): Schema {
  return {
    summary: 'A task as it stands; free',
    parameters: POLL_PARAMETERS,
    responses: { 200: answer('The task, failed ones too.', response), ...errorResponses(POLL_ERRORS) },
  };
}

function listOperation(): Schema {
  const names = ['page_num', 'page_size', 'filter.status', 'filter.task_ids', 'filter.model'];
  return {
    summary: "The caller's native tasks, newest first; free",
    parameters: names.map((name) => ({ name, in: 'query', schema: text })),
    responses: {
      200: { description: '`{items, total}`.' },
      ...errorResponses(['invalid_request', 'invalid_api_key', 'service_unavailable']),
    },
  };
}

function contentOperation(): Schema {
  return {
    summary: 'The finished video, whole or in ranges: by signed link or by API key',
    security: [{}, { bearer: [] }],
    parameters: [
      TASK_ID,
      { name: 'expires', in: 'query', schema: text },
      { name: 'sig', in: 'query', schema: text },
      { name: 'Range', in: 'header', schema: text },
    ],
    responses: {
      200: { description: 'The video.', content: { 'video/mp4': {} } },
      206: { description: 'A part of it.', content: { 'video/mp4': {} } },
      302: { description: "The provider's own link, where it needs no credential." },
      416: { description: 'There is no such part.' },
      ...errorResponses([
        'invalid_api_key',
        'forbidden',
        'not_found',
        'upstream_error',
        'upstream_unavailable',
      ]),
    },
  };
}

const ERROR: Schema = { type: 'object', properties: { code: text, message: text } };
const EXTRAS: Schema = {
  type: 'object',
  description: 'In the answer of the create call.',
  properties: {
    request_id: text,
    cost: { ...text, description: 'USD, decimal.' },
    latency_ms: integer,
  },
};
const STRINGS: Schema = { type: 'array', items: text };

export const VIDEO_SCHEMAS: Record<string, Schema> = {
  VideoGenerationRequest: {
    type: 'object',
    required: ['model', 'prompt'],
    additionalProperties: true,
    properties: {
      model: text,
      prompt: text,
      duration: { ...integer, default: 5, minimum: 1, description: 'Seconds; `seconds` is the same.' },
      image: { ...text, description: 'First frame: an https or data URL.' },
      last_frame: text,
      images: { ...STRINGS, description: 'One is the first frame, several are subjects to be kept.' },
      reference_images: STRINGS,
      size: { ...text, description: '<width>x<height>; or `width` and `height`.' },
      ratio: { ...text, description: '<w>:<h>; `aspect_ratio` is the same.' },
      resolution: { ...text, description: 'A label such as 720p.' },
      fps: integer,
      seed: integer,
      negative_prompt: text,
      audio: { type: 'boolean' },
      callback_url: { ...text, description: 'Told of the end of the task, signed.' },
      metadata: { type: 'object', description: "The provider's own fields, passed on as they are." },
    },
  },
  VideoTask: {
    type: 'object',
    properties: {
      task_id: text,
      id: text,
      object: { ...text, enum: ['video'] },
      model: text,
      status: { ...text, enum: ['queued', 'in_progress', 'completed', 'failed'] },
      progress: { ...integer, minimum: 0, maximum: 100 },
      created_at: integer,
      completed_at: { type: ['integer', 'null'] },
      video_url: text,
      last_frame_url: text,
      expires_at: {
        type: ['integer', 'null'],
        description: 'When the link dies, in seconds since the epoch.',
      },
      error: { ...ERROR, type: ['object', 'null'] },
      _gateway: EXTRAS,
    },
  },
  NativeVideoTaskRequest: {
    type: 'object',
    required: ['model', 'content'],
    additionalProperties: true,
    properties: {
      model: { ...text, description: 'At the top level, not inside `metadata`.' },
      content: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['type'],
          properties: { type: text, text },
          additionalProperties: true,
        },
      },
      duration: { ...integer, minimum: 4, maximum: 15 },
      ratio: { ...text, description: '<w>:<h>, or adaptive.' },
      resolution: text,
      callback_url: text,
    },
  },
  NativeVideoTask: {
    type: 'object',
    additionalProperties: true,
    properties: {
      id: text,
      model: text,
      status: { ...text, enum: ['queued', 'running', 'succeeded', 'failed'] },
      content: { type: 'object', properties: { video_url: text, last_frame_url: text } },
      error: ERROR,
      created_at: integer,
      updated_at: integer,
      _gateway: EXTRAS,
    },
  },
};
