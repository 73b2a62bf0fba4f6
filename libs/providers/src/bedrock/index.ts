import { REFUSALS } from '@mg/contract';
import type { TraitsOf } from '@mg/protocols';
import { z } from 'zod';
import { BETA_HEADER } from '../claude-betas.js';
import { readClaudeTraits } from '../claude-traits.js';
import { defineProvider, type Surface } from '../descriptor.js';
import type { Settings } from '../signing.js';
import { findCounted, MAX_TOKENS } from './count-tokens.js';
import { readConverseTraits } from './converse-traits.js';
import { signBedrockRequest } from './sign-bedrock-request.js';

const CLAUDE_VERSION = 'bedrock-2023-05-31';
/** `anthropic.claude-...`, a profile `us.anthropic.claude-...`, or the ARN of either. */
const CLAUDE = /(?:^|[./])anthropic\./;

const secret = z.string().min(1, REFUSALS.empty);

const settings = z
  .strictObject({
    region: z
      .string()
      .regex(/^[a-z]{2}(?:-[a-z]+)+-\d+$/, REFUSALS.no_region)
      .meta({ title: 'Region', description: 'Such as us-east-1.' }),
    access_key_id: secret
      .meta({ title: 'Access key id', description: 'Of an AWS user; not needed with a Bedrock API key.' })
      .optional(),
    secret_access_key: secret
      .meta({ title: 'Secret access key', description: 'Goes with the access key id.' })
      .optional(),
    session_token: secret
      .meta({ title: 'Session token', description: 'Of temporary credentials only.' })
      .optional(),
  })
  .refine((given) => given.secret_access_key !== undefined || given.access_key_id === undefined, {
    path: ['secret_access_key'],
    message: REFUSALS.required_with_access_key,
  })
  .refine(
    (given) =>
      given.access_key_id !== undefined ||
      (given.secret_access_key === undefined && given.session_token === undefined),
    { path: ['access_key_id'], message: REFUSALS.required_with_secret_key },
  );

const shared: Pick<Surface, 'authorize' | 'sign'> = {
  authorize: () => ({}),
  sign: signBedrockRequest,
};
const chat: Pick<Surface, 'operation' | 'authorize' | 'sign' | 'framing'> = {
  ...shared,
  operation: 'chat',
  framing: 'aws-event-stream',
};

/**
 * Amazon Bedrock, by the keys of an AWS user (in the settings) or by a Bedrock API key (as the channel's): Claude in its
 * own protocol, the models of all other makers by Converse.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-anthropic-claude-messages.html
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference.html
 */
export const bedrock = defineProvider({
  id: 'bedrock',
  telemetryName: 'aws.bedrock',
  title: 'Amazon Bedrock',
  settings,
  secretSettings: ['secret_access_key', 'session_token'],
  credential: 'optional',
  defaultBaseUrl: findAddress,
  versionPath: '',
  surfaces: [
    {
      ...chat,
      protocol: 'anthropic-messages',
      serves: (model) => CLAUDE.test(model),
      path: ({ model, stream }) =>
        `/model/${encodeURIComponent(model)}/${stream ? 'invoke-with-response-stream' : 'invoke'}`,
      passHeaders: [BETA_HEADER],
      traits: readTraitsOfClaude,
      adapt: ({ model: _named, stream: _stream, ...body }) => ({
        ...body,
        anthropic_version: CLAUDE_VERSION,
      }),
    },
    {
      ...chat,
      protocol: 'bedrock-converse',
      serves: (model) => !CLAUDE.test(model),
      path: ({ model, stream }) =>
        `/model/${encodeURIComponent(model)}/${stream ? 'converse-stream' : 'converse'}`,
      traits: readConverseTraits,
    },
    {
      ...shared,
      operation: 'count-tokens',
      protocol: 'anthropic-messages',
      serves: (model) => findCounted(model) !== undefined,
      path: ({ model }) => `/model/${encodeURIComponent(findCounted(model) ?? model)}/count-tokens`,
      traits: readTraitsOfClaude,
      adapt: ({ model: _named, stream: _stream, ...body }) => ({
        max_tokens: MAX_TOKENS,
        ...body,
        anthropic_version: CLAUDE_VERSION,
      }),
      base64Within: ['{"input":{"invokeModel":{"body":"', '"}}}'],
      countedIn: 'inputTokens',
    },
  ],
  models: [],
});

function findAddress(given: Settings): string {
  const region = String(given.region);
  const domain = region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
  return `https://bedrock-runtime.${region}.${domain}`;
}

/** URLs of media are fetched at Anthropic's own address only. */
function readTraitsOfClaude(model: string): TraitsOf<'anthropic-messages'> {
  return { ...readClaudeTraits(model), supportsMediaUrls: false };
}
