import { omitUndefined, REFUSALS } from '@mg/contract';
import { isObject, type JsonObject, type TraitsOf } from '@mg/protocols';
import { z } from 'zod';
import { BETA_HEADER } from '../claude-betas.js';
import { readClaudeTraits } from '../claude-traits.js';
import { keepCounted } from '../count-claude-tokens.js';
import { defineProvider, type ExchangeSurface, type Surface, type SurfaceCall } from '../descriptor.js';
import type { Settings } from '../signing.js';
import { nameGeminiMethod, readGeminiTraits } from '../gemini-traits.js';
import { signWithAccount } from './sign-with-account.js';
import { readServiceAccount } from './service-account.js';

const CLAUDE_VERSION = 'vertex-2023-10-16';
const DEFAULT_LOCATION = 'global';

const settings = z.strictObject({
  project: z
    .string()
    .regex(/^[a-z0-9][a-z0-9:.-]{0,62}$/, REFUSALS.no_project_id)
    .meta({ title: 'Project', description: 'Its id.' }),
  location: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,40}$/, REFUSALS.no_location)
    .default(DEFAULT_LOCATION)
    .meta({ title: 'Location', description: 'Such as us-central1 or global.' }),
  service_account: z
    .union([z.string(), z.record(z.string(), z.unknown())])
    .transform((account) => (typeof account === 'string' ? account : JSON.stringify(account)))
    .refine((text) => readServiceAccount(text) !== undefined, REFUSALS.no_service_account)
    .optional()
    .meta({ title: 'Service account', description: 'Its key file: the JSON text in it.' }),
});

const shared: Pick<Surface, 'authorize' | 'sign'> = {
  authorize: () => ({}),
  sign: signWithAccount,
};

/**
 * Gemini and Claude on Google's Vertex AI, by a service account: in the settings, or as the channel's API key.
 *
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs
 */
export const vertex = defineProvider({
  id: 'vertex',
  telemetryName: 'gcp.vertex_ai',
  title: 'Google Vertex AI',
  settings,
  secretSettings: ['service_account'],
  credential: 'optional',
  defaultBaseUrl: findAddress,
  versionPath: '/v1',
  surfaces: [
    {
      ...shared,
      operation: 'chat',
      protocol: 'gemini-generate',
      serves: (model) => model.startsWith('gemini-'),
      path: (call) => `${nameModel('google', call)}${nameGeminiMethod(call)}`,
      traits: readVertexTraits,
      adapt: addRoles,
    },
    {
      ...shared,
      operation: 'chat',
      protocol: 'anthropic-messages',
      serves: (model) => model.startsWith('claude-'),
      path: (call) => `${nameModel('anthropic', call)}${call.stream ? ':streamRawPredict' : ':rawPredict'}`,
      passHeaders: [BETA_HEADER],
      traits: readTraitsOfClaude,
      adapt: ({ model: _named, ...body }) => ({ ...body, anthropic_version: CLAUDE_VERSION }),
    },
    {
      ...shared,
      operation: 'count-tokens',
      protocol: 'gemini-generate',
      serves: (model) => model.startsWith('gemini-'),
      path: (call) => `${nameModel('google', call)}:countTokens`,
      traits: readVertexTraits,
      adapt: unwrapCount,
      countedIn: 'totalTokens',
    },
    {
      ...shared,
      operation: 'count-tokens',
      protocol: 'anthropic-messages',
      serves: (model) => model.startsWith('claude-'),
      path: (call) => `${nameModel('anthropic', { ...call, model: 'count-tokens' })}:rawPredict`,
      passHeaders: [BETA_HEADER],
      traits: readTraitsOfClaude,
      adapt: (body) => ({ ...keepCounted(body), anthropic_version: CLAUDE_VERSION }),
      countedIn: 'input_tokens',
    },
    {
      ...shared,
      operation: 'cached-content',
      protocol: 'gemini-generate',
      serves: (model) => model.startsWith('gemini-'),
      path: ({ settings }) => `/${nameParent(settings)}/cachedContents`,
      traits: readVertexTraits,
      adapt: nameKeptModel,
    },
  ],
  exchanges: [
    {
      ...shared,
      operation: 'image-generation',
      protocol: 'imagen-images',
      serves: (model) => model.startsWith('imagen'),
      path: (call) => `${nameModel('google', call)}:predict`,
    },
    ...(['image-generation', 'image-edit'] as const).map((operation): ExchangeSurface => ({
      ...shared,
      operation,
      protocol: 'gemini-images',
      serves: (model) => model.startsWith('gemini-'),
      path: (call) => `${nameModel('google', call)}:generateContent`,
    })),
  ],
  models: [],
});

function findAddress({ location = DEFAULT_LOCATION }: Settings): string {
  if (location === 'global') return 'https://aiplatform.googleapis.com/v1';
  const isContinent = location === 'us' || location === 'eu';
  return isContinent
    ? `https://aiplatform.${location}.rep.googleapis.com/v1`
    : `https://${String(location)}-aiplatform.googleapis.com/v1`;
}

/** What belongs to a project lies at a location. */
function nameParent({ project, location = DEFAULT_LOCATION }: Settings): string {
  return `projects/${String(project)}/locations/${String(location)}`;
}

function nameModel(publisher: string, { model, settings }: SurfaceCall): string {
  const name = encodeURIComponent(model).replaceAll('%40', '@');
  return `/${nameParent(settings)}/publishers/${publisher}/models/${name}`;
}

/**
 * A cached content names its model in full.
 *
 * @see https://cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/projects.locations.cachedContents
 */
function nameKeptModel(body: JsonObject, { model, settings }: SurfaceCall): JsonObject {
  return addRoles({ ...body, model: `${nameParent(settings)}/publishers/google/models/${model}` });
}

/** Models before Gemini 3 refuse ids of calls here. */
function readVertexTraits(model: string): TraitsOf<'gemini-generate'> {
  return {
    ...readGeminiTraits(model),
    ...omitUndefined({ supportsCallIds: /^gemini-[12]\b/.test(model) ? false : undefined }),
  };
}

/** A whole request to answer is counted here by its members, those apart that say how to answer. */
function unwrapCount(body: JsonObject): JsonObject {
  const { generateContentRequest: inner } = body;
  if (!isObject(inner)) {
    const { toolConfig: _choice, serviceTier: _tier, ...counted } = body;
    return addRoles(counted);
  }
  const { contents, systemInstruction, tools, generationConfig } = inner;
  return addRoles({ contents, systemInstruction, tools, generationConfig });
}

/** Vertex wants each turn to name its role; elsewhere it is the user's where none is named. */
function addRoles(body: JsonObject): JsonObject {
  if (!Array.isArray(body.contents)) return body;
  const contents = body.contents.map((content: unknown) =>
    isObject(content) && content.role === undefined ? { role: 'user', ...content } : content,
  );
  return { ...body, contents };
}

/** URLs of media are fetched at Anthropic's own address only. */
function readTraitsOfClaude(model: string): TraitsOf<'anthropic-messages'> {
  return { ...readClaudeTraits(model), supportsMediaUrls: false };
}
