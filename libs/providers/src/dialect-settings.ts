import type { TraitsOf } from '@mg/protocols';
import { z } from 'zod';
import type { Settings } from './signing.js';

/** What an operator can say about a server that speaks OpenAI's chat completions; all of it optional. */
export const dialectSettings = z
  .strictObject({
    max_tokens_field: z
      .enum(['max_tokens', 'max_completion_tokens'])
      .meta({ title: 'Field of the longest answer', description: 'What the server calls it.' }),
    stream_usage: z
      .boolean()
      .meta({ title: 'Usage in streams', description: 'Streams may be asked for usage by stream_options.' }),
    system_first_only: z
      .boolean()
      .meta({ title: 'System messages first', description: 'They are accepted only at the start.' }),
    developer_role: z
      .boolean()
      .meta({ title: 'Developer role', description: 'Messages of the role developer are accepted.' }),
    reasoning_field: z.enum(['reasoning_content', 'reasoning']).meta({
      title: 'Field of thoughts',
      description: 'What carries them, in answers and when they are sent back.',
    }),
    replay_reasoning: z
      .boolean()
      .meta({ title: 'Thoughts are sent back', description: 'Those of earlier turns must be.' }),
    efforts: z.array(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])).meta({
      title: 'Efforts',
      description: 'Values of reasoning_effort; none at all when models cannot be asked to think.',
    }),
    json_schema: z.boolean().meta({
      title: 'JSON schemas',
      description: 'response_format may be one; otherwise the schema is written in the prompt.',
    }),
    fixed_sampling: z
      .boolean()
      .meta({ title: 'Fixed sampling', description: 'Temperature and the like are refused.' }),
    user_field: z
      .enum(['user', 'safety_identifier', 'none'])
      .meta({ title: 'Field of the user', description: 'What names the end user to the server.' }),
    max_output_tokens: z
      .int()
      .min(1)
      .max(10_000_000)
      .meta({ title: 'Longest answer', description: 'In tokens.' }),
    allow_upstream_routing: z.boolean().meta({
      title: 'Callers may choose behind the channel',
      description:
        'Fields such as models, provider, route, plugins and fallbacks reach the server; what it then chooses is billed as the model of the call.',
    }),
    text_completions: z.literal(false).meta({
      title: 'Text completions',
      description: 'Where the server has no /completions, such calls are converted to chats.',
    }),
  })
  .partial();

type DialectSettings = z.output<typeof dialectSettings>;

type ChatTraits = TraitsOf<'openai-chat'>;

const TRAITS: { readonly [Name in Exclude<keyof DialectSettings, 'text_completions'>]-?: keyof ChatTraits } =
  {
    max_tokens_field: 'maxTokensField',
    stream_usage: 'supportsStreamUsage',
    system_first_only: 'supportsLaterSystemTurns',
    developer_role: 'supportsDeveloperRole',
    reasoning_field: 'reasoningField',
    replay_reasoning: 'acceptsReasoningHistory',
    efforts: 'efforts',
    json_schema: 'supportsJsonSchema',
    fixed_sampling: 'supportsSampling',
    user_field: 'userField',
    max_output_tokens: 'maxOutputTokens',
    allow_upstream_routing: 'allowsUpstreamRouting',
  };

/** Settings that say what the server refuses, where the trait says what it supports. */
const NEGATED: ReadonlySet<string> = new Set<keyof DialectSettings>(['system_first_only', 'fixed_sampling']);

/** The traits that a channel's settings correct: those that were set. */
export function readDialectSettings(settings: Settings): ChatTraits {
  return Object.fromEntries(
    Object.entries(TRAITS)
      .filter(([name]) => settings[name] !== undefined)
      .map(([name, trait]) => [trait, NEGATED.has(name) ? settings[name] !== true : settings[name]]),
  );
}
