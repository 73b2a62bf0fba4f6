import { type Answer, type Bodies, type Endpoint, json, jsonOrEvents, text } from './endpoint.js';

const IMAGES = jsonOrEvents('ImageResponse', 'ImageEvent');

/** A transcript is JSON, text of its own (`text`, `srt`, `vtt`), or events. */
const TRANSCRIPT: Answer = {
  description: 'The transcript in the format that was asked for, or its event stream.',
  content: {
    'application/json': 'Transcription',
    'text/plain': undefined,
    'text/event-stream': 'TranscriptionEvent',
  },
};

/** Audio of any type, or events that hold it. */
const SPEECH: Answer = {
  description: 'The audio, or its event stream.',
  content: { 'audio/*': undefined, 'text/event-stream': 'SpeechEvent' },
};

const IMAGE: Answer = { description: 'The image.', content: { 'image/*': undefined } };

/** Embeddings, images, audio, moderation and rerank: whatever is asked once and answered once. */
export const EXCHANGE_ENDPOINTS: readonly Endpoint[] = [
  post(
    '/v1/embeddings',
    'Embeddings',
    { 'application/json': 'EmbeddingRequest' },
    json('The embeddings.', 'EmbeddingResponse'),
  ),
  post('/v1/images/generations', 'Images', { 'application/json': 'ImageRequest' }, IMAGES),
  post(
    '/v1/images/edits',
    'Images made of images',
    { 'multipart/form-data': 'ImageEditForm', 'application/json': 'ImageEditRequest' },
    IMAGES,
  ),
  post(
    '/v1/images/variations',
    'Images like another one',
    { 'multipart/form-data': 'ImageVariationForm' },
    json('The images.', 'ImageResponse'),
  ),
  {
    method: 'get',
    path: '/v1/images/content/{name}',
    summary: 'An image that was answered by address, whole or in ranges: by signed link',
    cost: 'open',
    security: [],
    parameters: [
      { name: 'name', in: 'path', required: true, schema: text },
      { name: 'expires', in: 'query', schema: text },
      { name: 'sig', in: 'query', schema: text },
      { name: 'Range', in: 'header', schema: text },
    ],
    answers: {
      200: IMAGE,
      206: { ...IMAGE, description: 'A part of it.' },
      416: { description: 'There is no such part.' },
    },
    failures: ['forbidden', 'not_found', 'rate_limited', 'upstream_unavailable'],
  },
  post(
    '/v1/audio/transcriptions',
    'Speech to text',
    { 'multipart/form-data': 'TranscriptionForm' },
    TRANSCRIPT,
  ),
  post(
    '/v1/audio/translations',
    'Speech to English text',
    { 'multipart/form-data': 'TranscriptionForm' },
    TRANSCRIPT,
  ),
  post('/v1/audio/speech', 'Text to speech', { 'application/json': 'SpeechRequest' }, SPEECH),
  post(
    '/v1/moderations',
    'Moderation of texts',
    { 'application/json': 'ModerationRequest' },
    json('The results.', 'Moderation'),
  ),
  post(
    '/v1/rerank',
    'Documents in the order of relevance',
    { 'application/json': 'RerankRequest' },
    json('The documents in the order of relevance.', 'Ranking'),
  ),
];

function post(path: string, summary: string, request: Bodies, answer: Answer): Endpoint {
  return { method: 'post', path, summary, cost: 'billed', request, answers: { 200: answer } };
}
