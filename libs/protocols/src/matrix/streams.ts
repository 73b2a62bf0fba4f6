import type { Wire } from './row.js';

/** An oddity of streams, with the goldens that show it: each is read and converted for clients of every protocol. */
export interface StreamRow {
  readonly concept: string;
  /** Whether clients get a failure, or a whole answer. */
  readonly ends: 'failure' | 'answer';
  readonly goldens: Readonly<Partial<Record<Wire, readonly string[]>>>;
}

export const STREAM_ROWS: readonly StreamRow[] = [
  {
    concept: 'the stream ends before the answer does, or without one',
    ends: 'failure',
    goldens: {
      chat: ['stream-truncated', 'stream-empty'],
      responses: ['stream-truncated'],
      completions: ['stream-truncated'],
      messages: ['stream-truncated'],
      gemini: ['stream-truncated'],
      converse: ['stream-truncated'],
    },
  },
  {
    concept: 'an error in the middle, in whatever shape',
    ends: 'failure',
    goldens: {
      chat: ['stream-error', 'stream-error-object'],
      responses: ['stream-error', 'stream-error-flat', 'stream-failed'],
      completions: ['stream-error'],
      messages: ['stream-error'],
      gemini: ['stream-error', 'stream-error-in-array'],
      converse: ['stream-exception', 'stream-exception-first'],
    },
  },
  {
    concept: 'an error without a stream',
    ends: 'failure',
    goldens: { chat: ['stream-plain-error'], gemini: ['stream-plain-error'] },
  },
  {
    concept: 'a model that spoils its answer',
    ends: 'failure',
    goldens: { gemini: ['stream-malformed-call'], converse: ['stream-malformed'] },
  },
  {
    concept: 'data that is no JSON, fragments after their end, a second answer within the first',
    ends: 'failure',
    goldens: {
      chat: ['stream-garbled', 'stream-late-fragment'],
      completions: ['stream-garbled'],
      messages: ['stream-garbled', 'stream-second-start'],
      gemini: ['stream-no-json'],
    },
  },
  {
    concept: 'a whole answer without a stream',
    ends: 'answer',
    goldens: {
      chat: ['stream-plain-body'],
      responses: ['stream-whole-answer'],
      completions: ['stream-plain-body'],
      messages: ['stream-plain-body'],
      converse: ['stream-plain-body'],
    },
  },
  {
    concept: 'no mark of the end, no last newline, no names of events',
    ends: 'answer',
    goldens: {
      chat: ['stream-no-final-newline'],
      responses: ['stream-no-final-newline', 'stream-only-completed'],
      completions: ['stream-no-done'],
      messages: ['stream-no-stop-event', 'stream-no-event-names'],
    },
  },
  {
    concept: 'usage with the end, after it, before it, on every chunk, or never',
    ends: 'answer',
    goldens: {
      chat: [
        'stream-usage-with-finish',
        'stream-usage-cumulative',
        'stream-usage-in-choice',
        'stream-usage-never',
      ],
      completions: ['stream-usage-with-finish'],
      messages: ['stream-usage-late', 'stream-usage-twice'],
      gemini: ['stream-usage-not-last'],
      converse: ['stream-metadata-first', 'stream-no-metadata'],
    },
  },
  {
    concept:
      'fragments of several calls mixed, under one index, under none, without ids, with their name repeated',
    ends: 'answer',
    goldens: {
      chat: [
        'stream-calls-interleaved',
        'stream-calls-same-index',
        'stream-calls-no-index',
        'stream-calls-first-index-one',
        'stream-calls-without-id',
        'stream-calls-repeated-name',
      ],
      responses: ['stream-calls-interleaved'],
      messages: ['stream-call-input-at-start'],
      gemini: ['stream-partial-args', 'stream-calls-with-ids'],
    },
  },
  {
    concept: 'text, thoughts and calls by turns',
    ends: 'answer',
    goldens: {
      chat: ['stream-text-after-call', 'stream-thinking-parts', 'stream-thinking-blocks'],
      responses: ['stream-two-parts', 'stream-reasoning', 'stream-reasoning-hidden'],
      messages: ['stream-thinking-calls', 'stream-thinking-omitted'],
      gemini: ['stream-thinking'],
      converse: ['stream-thinking-calls', 'stream-redacted'],
    },
  },
  {
    concept: 'nothing at all, chunks without choices, blocks without content, keep-alives, unknown events',
    ends: 'answer',
    goldens: {
      chat: ['stream-azure'],
      responses: ['stream-empty'],
      messages: ['stream-unknown-events'],
      gemini: ['stream-empty', 'stream-keep-alive'],
      converse: ['stream-empty-blocks', 'stream-unknown-events'],
    },
  },
  {
    concept: 'a reason to end that comes early, on every chunk, or is a policy',
    ends: 'answer',
    goldens: {
      chat: ['stream-call-length', 'stream-filtered', 'stream-refusal'],
      responses: ['stream-length', 'stream-filtered', 'stream-refusal'],
      messages: ['stream-refusal', 'stream-paused', 'stream-stop-sequence'],
      gemini: ['stream-finish-on-every-chunk', 'stream-safety', 'stream-blocked-prompt', 'stream-length'],
      converse: ['stream-guardrail', 'stream-stop-sequence'],
    },
  },
  {
    concept: 'halves of a character in two chunks',
    ends: 'answer',
    goldens: { chat: ['stream-surrogates'] },
  },
  {
    concept: 'several answers, probabilities, citations',
    ends: 'answer',
    goldens: {
      chat: ['stream-choices', 'stream-logprobs', 'stream-annotations'],
      responses: ['stream-logprobs', 'stream-citations'],
      completions: ['stream-choices', 'stream-logprobs'],
      gemini: ['stream-two-candidates', 'stream-logprobs', 'stream-grounded'],
      converse: ['stream-cited'],
    },
  },
  {
    concept: 'tools that the provider runs, and images',
    ends: 'answer',
    goldens: {
      chat: ['stream-image'],
      responses: ['stream-web-search'],
      messages: ['stream-server-tools', 'stream-output-tool'],
      gemini: ['stream-code-execution'],
    },
  },
];
