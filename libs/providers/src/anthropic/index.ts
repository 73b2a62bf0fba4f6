import { z } from 'zod';
import { BETA_HEADER } from '../claude-betas.js';
import { readClaudeTraits } from '../claude-traits.js';
import { keepCounted } from '../count-claude-tokens.js';
import { defineProvider, type SurfaceOf } from '../descriptor.js';
import { anthropicModelList } from '../model-list.js';
import type { OutgoingRequest } from '../signing.js';
import { batches } from './batches.js';
import { MODELS } from './models.js';
import { VERSION, VERSION_HEADER } from './version.js';

const shared: Pick<
  SurfaceOf<'anthropic-messages'>,
  'protocol' | 'authorize' | 'passHeaders' | 'sign' | 'traits'
> = {
  protocol: 'anthropic-messages',
  authorize: (apiKey) => ({ 'x-api-key': apiKey ?? '' }),
  passHeaders: [BETA_HEADER, VERSION_HEADER],
  sign: addVersion,
  traits: (model) => ({ ...readClaudeTraits(model), supportsWebSearch: isClaude(model) }),
};

/**
 * Anthropic, and whoever else speaks its protocol at another address.
 *
 * @see https://platform.claude.com/docs/en/api/messages
 */
export const anthropic = defineProvider({
  id: 'anthropic',
  title: 'Anthropic',
  settings: z.strictObject({}),
  credential: 'api-key',
  defaultBaseUrl: 'https://api.anthropic.com/v1',
  versionPath: '/v1',
  environmentKey: 'ANTHROPIC_API_KEY',
  priceSource: 'anthropic',
  surfaces: [
    { ...shared, operation: 'chat', path: () => '/messages' },
    {
      ...shared,
      operation: 'count-tokens',
      path: () => '/messages/count_tokens',
      adapt: keepCounted,
      countedIn: 'input_tokens',
    },
  ],
  batches,
  modelList: anthropicModelList,
  models: MODELS,
});

/** Every Claude on offer searches the web; what else speaks the protocol does not. */
function isClaude(model: string): boolean {
  return model.includes('claude');
}

/** A client of the protocol names the version its SDK was made for; for all others the gateway does. */
function addVersion(request: OutgoingRequest): OutgoingRequest {
  if (request.headers[VERSION_HEADER] !== undefined) return request;
  return { ...request, headers: { ...request.headers, [VERSION_HEADER]: VERSION } };
}
