import { isObject, type JsonObject } from '@mg/protocols';
import { z } from 'zod';
import { defineProvider, type ExchangeSurface, type Surface, type SurfaceCall } from '../descriptor.js';
import { nameGeminiMethod, readGeminiTraits } from '../gemini-traits.js';
import { geminiModelList } from '../model-list.js';
import { liveSessions } from '../gemini-live.js';
import { batches } from './batches.js';
import { chatModels } from './chat-models.js';
import { liveModels } from './live-models.js';
import { videoJobs } from './video-jobs.js';

const authorize: Surface['authorize'] = (apiKey) => ({ 'x-goog-api-key': apiKey ?? '' });

/**
 * Google's Gemini API with a key of AI Studio.
 *
 * Prices of our own are those of prompts up to 200 000 tokens of text.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const gemini = defineProvider({
  id: 'gemini',
  telemetryName: 'gcp.gemini',
  title: 'Google Gemini',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://generativelanguage.googleapis.com/v1beta',
  versionPath: '/v1beta',
  environmentKey: 'GEMINI_API_KEY',
  priceSource: 'google',
  surfaces: [
    {
      operation: 'chat',
      protocol: 'gemini-generate',
      path: (call) => `/${nameResource(call)}${nameGeminiMethod(call)}`,
      authorize,
      traits: readGeminiTraits,
    },
    {
      operation: 'count-tokens',
      protocol: 'gemini-generate',
      path: (call) => `/${nameResource(call)}:countTokens`,
      authorize: (apiKey) => ({ 'x-goog-api-key': apiKey ?? '' }),
      traits: readGeminiTraits,
      adapt: wrapCount,
      countedIn: 'totalTokens',
    },
    {
      operation: 'cached-content',
      protocol: 'gemini-generate',
      path: () => '/cachedContents',
      authorize,
      traits: readGeminiTraits,
    },
  ],
  exchanges: [
    {
      operation: 'embeddings',
      protocol: 'gemini-batch-embed',
      path: (call) => `/${nameResource(call)}:batchEmbedContents`,
      authorize,
    },
    {
      operation: 'embeddings',
      protocol: 'gemini-embed',
      path: (call) => `/${nameResource(call)}:embedContent`,
      authorize,
    },
    {
      operation: 'image-generation',
      protocol: 'imagen-images',
      serves: isImagen,
      path: (call) => `/${nameResource(call)}:predict`,
      authorize,
    },
    ...(['image-generation', 'image-edit'] as const).map((operation): ExchangeSurface => ({
      operation,
      protocol: 'gemini-images',
      serves: (model) => !isImagen(model),
      path: (call) => `/${nameResource(call)}:generateContent`,
      authorize,
    })),
    ...(['transcription', 'translation'] as const).map((operation): ExchangeSurface => ({
      operation,
      protocol: 'gemini-transcriptions',
      path: (call) => `/${nameResource(call)}:generateContent`,
      authorize,
    })),
  ],
  realtime: [liveSessions({ authorize })],
  jobs: [videoJobs],
  batches,
  modelList: geminiModelList,
  models: [
    ...chatModels,
    ...liveModels,
    {
      slug: 'veo-3.1-generate-preview',
      kind: 'video',
      price: { per_second: '0.4', variants: { '4k': { per_second: '0.6' } } },
    },
    {
      slug: 'veo-3.1-fast-generate-preview',
      kind: 'video',
      price: {
        per_second: '0.1',
        variants: { '1080p': { per_second: '0.12' }, '4k': { per_second: '0.3' } },
      },
    },
    {
      slug: 'veo-3.1-lite-generate-preview',
      kind: 'video',
      price: { per_second: '0.05', variants: { '1080p': { per_second: '0.08' } } },
    },
    {
      slug: 'gemini-3.1-flash-image',
      kind: 'image',
      price: { input_per_million: '0.5', output_per_million: '3', image_output_per_million: '60' },
    },
    {
      slug: 'gemini-3-pro-image',
      kind: 'image',
      price: { input_per_million: '2', output_per_million: '12', image_output_per_million: '120' },
    },
    { slug: 'gemini-embedding-001', kind: 'embedding', price: { input_per_million: '0.15' } },
  ],
});

/** What is counted beside contents stands in a whole request to answer, which names the model once more. */
function wrapCount(body: JsonObject, call: SurfaceCall): JsonObject {
  const { generateContentRequest: inner, ...rest } = body;
  const model = nameModel(call);
  if (isObject(inner)) return { ...rest, generateContentRequest: { ...inner, model } };
  const isPlain = Object.keys(rest).every((key) => key === 'contents');
  return isPlain ? body : { generateContentRequest: { ...rest, model } };
}

/** Imagen is asked by a method of its own, and makes images of prompts alone. */
function isImagen(model: string): boolean {
  return model.startsWith('imagen');
}

/** A tuned model is named with its collection, `tunedModels/x`; all others belong to `models`. */
function nameModel({ model }: SurfaceCall): string {
  return model.includes('/') ? model : `models/${model}`;
}

function nameResource(call: SurfaceCall): string {
  return nameModel(call).split('/').map(encodeURIComponent).join('/');
}
