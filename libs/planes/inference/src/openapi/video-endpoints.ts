import type { ErrorCode } from '@mg/contract';
import { NATIVE_TASK_STATUSES } from '@mg/protocols';
import { NATIVE_PAGE, OPENAI_PAGE } from '../edge/page-sizes.js';
import { type Answer, type Bodies, count, type Endpoint, json, type Parameter, text } from './endpoint.js';
import type { SchemaName } from './schemas.js';

const GENERIC = '/v1/video/generations';
const NATIVE = '/videonative/api/v3/contents/generations/tasks';
const TASK_ID: Parameter = { name: 'task_id', in: 'path', required: true, schema: text };
const VIDEO_ID: Parameter = { ...TASK_ID, name: 'video_id' };
/** What a page of native tasks may be asked for. */
const NATIVE_LIST: Readonly<Record<string, object>> = {
  page_num: count(NATIVE_PAGE.most, 1),
  page_size: count(NATIVE_PAGE.most, NATIVE_PAGE.usual),
  // The last two are the provider's own, and find what has failed.
  'filter.status': { type: 'string', enum: [...NATIVE_TASK_STATUSES, 'cancelled', 'expired'] },
  'filter.task_ids': text,
  'filter.model': text,
};
const OPENAI_LIST: Readonly<Record<string, object>> = {
  limit: count(OPENAI_PAGE.most, OPENAI_PAGE.usual),
  after: text,
};

const CONTENT_FAILURES: readonly ErrorCode[] = [
  'forbidden',
  'not_found',
  'upstream_error',
  'upstream_unavailable',
];
const VIDEO: Answer = { description: 'The video.', content: { 'video/mp4': undefined } };

/** Video tasks by three APIs, and the secret that their webhooks are signed with. */
export const VIDEO_ENDPOINTS: readonly Endpoint[] = [
  create(GENERIC, 'A video, made as a task', { 'application/json': 'VideoGenerationRequest' }, 'VideoTask'),
  poll(`${GENERIC}/{task_id}`, 'VideoTask'),
  content(`${GENERIC}/{task_id}/content`, TASK_ID),
  create(
    NATIVE,
    'A video by the native API, for channels of type videonative',
    { 'application/json': 'NativeVideoTaskRequest' },
    'NativeVideoTask',
  ),
  {
    method: 'get',
    path: NATIVE,
    summary: "The caller's native tasks, newest first; free",
    cost: 'free',
    parameters: listQuery(NATIVE_LIST),
    answers: { 200: json('A page.', 'NativeVideoTasks') },
  },
  poll(`${NATIVE}/{task_id}`, 'NativeVideoTask'),
  {
    ...remove(`${NATIVE}/{task_id}`, 'Cancels a task that waits, or removes one that has ended', [TASK_ID]),
    answers: { 200: json('Done: money that was charged for a cancelled task is back.', 'NoTask') },
    failures: ['task_not_found', 'conflict'],
  },
  create(
    '/v1/videos',
    "A video, as OpenAI's SDK orders it",
    { 'multipart/form-data': 'OpenAiVideoForm', 'application/json': 'OpenAiVideoRequest' },
    'OpenAiVideo',
  ),
  {
    method: 'get',
    path: '/v1/videos',
    summary: "The caller's videos, newest first; free",
    cost: 'free',
    parameters: listQuery(OPENAI_LIST),
    answers: { 200: json('A page.', 'OpenAiVideos') },
  },
  {
    method: 'get',
    path: '/v1/videos/{video_id}',
    summary: 'A video as it stands; free',
    cost: 'free',
    parameters: [VIDEO_ID],
    answers: { 200: json('The video.', 'OpenAiVideo') },
    failures: ['not_found'],
  },
  {
    ...remove('/v1/videos/{video_id}', 'Removes a video that is done', [VIDEO_ID]),
    answers: { 200: json('Removed.', 'DeletedVideo') },
    failures: ['not_found', 'conflict'],
  },
  {
    ...create(
      '/v1/videos/{video_id}/remix',
      'A video like one that is done, by another prompt: for channels of type openai',
      { 'application/json': 'VideoRemixRequest' },
      'OpenAiVideo',
    ),
    parameters: [VIDEO_ID],
    failures: ['not_found'],
  },
  content('/v1/videos/{video_id}/content', VIDEO_ID),
  {
    method: 'get',
    path: '/v1/webhooks/secret',
    summary: 'The secret that webhooks to this API key are signed with',
    cost: 'free',
    answers: { 200: json('The secret.', 'WebhookSecret') },
  },
];

function listQuery(schemas: Readonly<Record<string, object>>): readonly Parameter[] {
  return Object.entries(schemas).map(([name, schema]) => ({ name, in: 'query', schema }));
}

function create(path: string, summary: string, request: Bodies, task: SchemaName): Endpoint {
  return {
    method: 'post',
    path,
    summary,
    description:
      'The cost is held at once, charged when a provider takes the task, and refunded when it fails.',
    cost: 'billed',
    request,
    answers: { 200: json('The task.', task) },
  };
}

function poll(path: string, task: SchemaName): Endpoint {
  return {
    method: 'get',
    path,
    summary: 'A task as it stands; free',
    cost: 'free',
    parameters: [
      TASK_ID,
      {
        name: 'model',
        in: 'query',
        schema: text,
        description: 'Not needed: a task knows its channel.',
      },
    ],
    answers: { 200: json('The task, failed ones too.', task) },
    failures: ['task_not_found'],
  };
}

function remove(path: string, summary: string, parameters: readonly Parameter[]) {
  return { method: 'delete', path, summary, cost: 'free', parameters } as const;
}

function content(path: string, id: Parameter): Endpoint {
  return {
    method: 'get',
    path,
    summary: 'The finished video, whole or in ranges: by signed link or by API key',
    cost: 'free',
    security: [{}, { bearer: [] }],
    parameters: [
      id,
      { name: 'expires', in: 'query', schema: text },
      { name: 'sig', in: 'query', schema: text },
      { name: 'Range', in: 'header', schema: text },
    ],
    answers: {
      200: VIDEO,
      206: { ...VIDEO, description: 'A part of it.' },
      302: { description: "The provider's own link, where it needs no credential." },
      416: { description: 'There is no such part.' },
    },
    failures: CONTENT_FAILURES,
  };
}
