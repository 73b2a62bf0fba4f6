import { z } from 'zod';
import { defineProvider, type SurfaceCall } from '../descriptor.js';
import { readOpenAiTraits } from '../openai-traits.js';

const settings = z
  .strictObject({
    api_version: z
      .string()
      .regex(
        /^(?:v1|\d{4}-\d{2}-\d{2}(?:-preview)?)$/,
        'must be a version such as "2024-10-21", or "v1" for the API without versions',
      ),
    /** Name of the deployment where it is not that of the model. */
    deployment: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'must be the name of a deployment')
      .optional(),
  })
  .refine(({ api_version, deployment }) => api_version !== 'v1' || deployment === undefined, {
    path: ['deployment'],
    message: 'does not go with api_version "v1": name the deployment in models',
  });

/**
 * OpenAI's models on Azure. The base address is that of the resource: `https://<resource>.openai.azure.com`.
 *
 * @see https://learn.microsoft.com/azure/ai-services/openai/reference
 */
export const azureOpenai = defineProvider({
  id: 'azure-openai',
  title: 'Azure OpenAI',
  settings,
  credential: 'api-key',
  versionPath: '',
  surfaces: [
    {
      operation: 'chat',
      protocol: 'openai-chat',
      path: findPath,
      authorize: (apiKey) => ({ 'api-key': apiKey ?? '' }),
      traits: (model) => ({ ...readOpenAiTraits(model), userField: 'user' }),
    },
  ],
  models: [],
});

/** With `v1` the deployment is told by the body's `model`, else by the path. */
function findPath({ model, settings }: SurfaceCall): string {
  const version = String(settings.api_version);
  if (version === 'v1') return '/openai/v1/chat/completions';
  const deployment = typeof settings.deployment === 'string' ? settings.deployment : model;
  return `/openai/deployments/${encodeURIComponent(deployment)}/chat/completions?api-version=${version}`;
}
