import type { ModelTraits } from '@mg/protocols';
import { z } from 'zod';
import type { Settings } from './signing.js';

/** What an operator can say about a server that speaks OpenAI's chat completions; all of it optional. */
export const dialectSettings = z
  .strictObject({
    max_tokens_field: z.enum(['max_tokens', 'max_completion_tokens']),
    /** Whether streams may be asked for usage by `stream_options`. */
    stream_usage: z.boolean(),
    /** System messages are accepted only at the start. */
    system_first_only: z.boolean(),
    developer_role: z.boolean(),
    /** Field that carries thoughts, in answers and when they are sent back. */
    reasoning_field: z.enum(['reasoning_content', 'reasoning']),
    /** Thoughts of earlier turns must be sent back. */
    replay_reasoning: z.boolean(),
    /** Values of `reasoning_effort`; an empty list when models cannot be asked to think. */
    efforts: z.array(z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'])),
    /** `response_format` may be a JSON schema; otherwise the schema is told in the prompt. */
    json_schema: z.boolean(),
    /** Temperature and the like are refused. */
    fixed_sampling: z.boolean(),
    user_field: z.enum(['user', 'safety_identifier', 'none']),
    /** Longest answer, in tokens. */
    max_output_tokens: z.int().min(1).max(10_000_000),
    /** The server has no `/completions`: such calls are converted to chats. */
    text_completions: z.literal(false),
  })
  .partial();

type DialectSettings = z.output<typeof dialectSettings>;

const TRAITS: { readonly [Name in Exclude<keyof DialectSettings, 'text_completions'>]-?: keyof ModelTraits } =
  {
    max_tokens_field: 'maxTokensField',
    stream_usage: 'streamUsage',
    system_first_only: 'systemFirstOnly',
    developer_role: 'developerRole',
    reasoning_field: 'reasoningField',
    replay_reasoning: 'replayReasoning',
    efforts: 'efforts',
    json_schema: 'jsonSchema',
    fixed_sampling: 'fixedSampling',
    user_field: 'userField',
    max_output_tokens: 'maxOutputTokens',
  };

/** The traits that a channel's settings correct: those that were set. */
export function readDialectSettings(settings: Settings): ModelTraits {
  return Object.fromEntries(
    Object.entries(TRAITS)
      .filter(([name]) => settings[name] !== undefined)
      .map(([name, trait]) => [trait, settings[name]]),
  );
}
