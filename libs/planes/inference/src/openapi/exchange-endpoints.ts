import { type Answer, type Bodies, type Endpoint, json, jsonOrEvents } from './endpoint.js';

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
    json('The verdicts.', 'Moderation'),
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
