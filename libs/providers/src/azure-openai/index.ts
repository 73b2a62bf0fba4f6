import { REFUSALS } from '@mg/contract';
import type { JsonObject, TraitsOf } from '@mg/protocols';
import { z } from 'zod';
import {
  defineProvider,
  type ExchangeSurface,
  type Surface,
  type SurfaceCall,
  type SurfaceOf,
} from '../descriptor.js';
import type { Settings } from '../signing.js';
import { askRealtime, realtimeLikeOpenAi } from '../openai-realtime.js';
import { listOpenAiExchanges } from '../openai-exchanges.js';
import { readOpenAiImageTraits } from '../openai-image-traits.js';
import { listOpenAiProtocols, readOpenAiTraits, readResponsesTraits } from '../openai-traits.js';

const FIRST_WITH_RESPONSES = '2025-03-01-preview';

const settings = z
  .strictObject({
    api_version: z
      .string()
      .regex(/^(?:v1|\d{4}-\d{2}-\d{2}(?:-preview)?)$/, REFUSALS.no_api_version)
      .meta({
        title: 'API version',
        description: 'Such as 2024-10-21, or v1 for the API without versions.',
      }),
    deployment: z
      .string()
      .regex(/^[\w.-]{1,64}$/, REFUSALS.no_deployment_name)
      .meta({ title: 'Deployment', description: 'Its name, where that is not the name of the model.' })
      .optional(),
  })
  .refine(({ api_version, deployment }) => api_version !== 'v1' || deployment === undefined, {
    path: ['deployment'],
    message: 'does not go with api_version "v1": name the deployment in models',
  });

const shared: Pick<Surface, 'operation' | 'authorize'> = {
  operation: 'chat',
  authorize: (apiKey) => ({ 'api-key': apiKey ?? '' }),
};

function readChatTraits(model: string): TraitsOf<'openai-chat'> {
  return { ...readOpenAiTraits(model), userField: 'user' };
}

const chat: SurfaceOf<'openai-chat'> = {
  ...shared,
  protocol: 'openai-chat',
  serves: (model, settings) =>
    hasResponses(settings) ? listOpenAiProtocols(model).includes('openai-chat') : !continuesText(model),
  path: (call) => findPath('chat/completions', call),
  traits: readChatTraits,
};

const completions: SurfaceOf<'openai-completions'> = {
  ...shared,
  protocol: 'openai-completions',
  serves: continuesText,
  path: (call) => findPath('completions', call),
  traits: readChatTraits,
};

const responses: SurfaceOf<'openai-responses'> = {
  ...shared,
  protocol: 'openai-responses',
  path: ({ settings }) => findResponsesPath(settings),
  keptResponsePath: (id, settings) => findResponsesPath(settings, `/${id}`),
  // Search of the web is no part of Azure's.
  traits: (model) => ({ ...readResponsesTraits(model), supportsWebSearch: false, userField: 'user' }),
  adapt: nameDeployment,
};

const images: Pick<ExchangeSurface, 'protocol' | 'authorize' | 'traits'> = {
  protocol: 'openai-images',
  authorize: (apiKey) => ({ 'api-key': apiKey ?? '' }),
  traits: readOpenAiImageTraits,
};

/**
 * OpenAI's models on Azure. Those that do everything only by the Responses API are preferably called by it, where the API
 * version has it; a deployment should bear its model's name, by which that is known. The base address is that of the
 * resource: `https://<resource>.openai.azure.com`.
 *
 * @see https://learn.microsoft.com/azure/ai-services/openai/reference
 */
export const azureOpenai = defineProvider({
  id: 'azure-openai',
  telemetryName: 'azure.ai.openai',
  title: 'Azure OpenAI',
  settings,
  credential: 'api-key',
  versionPath: '',
  surfaces: [
    {
      ...responses,
      serves: (model, settings) =>
        hasResponses(settings) && listOpenAiProtocols(model)[0] === 'openai-responses',
    },
    chat,
    completions,
    {
      ...responses,
      serves: (model, settings) =>
        hasResponses(settings) && listOpenAiProtocols(model)[1] === 'openai-responses',
    },
  ],
  exchanges: [
    { ...images, operation: 'image-generation', path: (call) => findPath('images/generations', call) },
    { ...images, operation: 'image-edit', path: (call) => findPath('images/edits', call) },
    ...listOthers(),
  ],
  realtime: [
    realtimeLikeOpenAi({
      // The API without versions is the only one that has it.
      path: ({ model, settings, ...call }) =>
        `/openai/v1/realtime?${askRealtime({ ...call, model: findDeployment(settings) ?? model })}`,
      authorize: shared.authorize,
    }),
  ],
  models: [],
});

/** The operations beside chat and images, by the paths that OpenAI has for them. */
function listOthers(): ExchangeSurface[] {
  return listOpenAiExchanges(['embeddings', 'transcription', 'translation', 'speech'], {
    authorize: shared.authorize,
  }).map((surface) => ({ ...surface, path: (call) => findPath(surface.path(call).slice(1), call) }));
}

/** Whether the API version of a channel knows the Responses API. Versions are days. */
function hasResponses({ api_version: version }: Settings): boolean {
  return version === 'v1' || String(version) >= FIRST_WITH_RESPONSES;
}

/** Read from the deployment's name, which is the model's unless an operator gave it another. */
function continuesText(model: string): boolean {
  return listOpenAiProtocols(model).includes('openai-completions');
}

/** With `v1` the body's `model` names the deployment, else the path. */
function findPath(method: string, { model, settings }: SurfaceCall): string {
  const version = String(settings.api_version);
  if (version === 'v1') return `/openai/v1/${method}`;
  const deployment = encodeURIComponent(findDeployment(settings) ?? model);
  return `/openai/deployments/${deployment}/${method}?api-version=${version}`;
}

/** Here the body's `model` names the deployment in every version. */
function findResponsesPath(settings: Settings, response = ''): string {
  const version = String(settings.api_version);
  return version === 'v1'
    ? `/openai/v1/responses${response}`
    : `/openai/responses${response}?api-version=${version}`;
}

function nameDeployment(body: JsonObject, { settings }: SurfaceCall): JsonObject {
  const deployment = findDeployment(settings);
  return deployment === undefined ? body : { ...body, model: deployment };
}

function findDeployment({ deployment }: Settings): string | undefined {
  return typeof deployment === 'string' ? deployment : undefined;
}
