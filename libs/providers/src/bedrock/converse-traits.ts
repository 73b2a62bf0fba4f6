import type { TraitsOf } from '@mg/protocols';

type ConverseTraits = TraitsOf<'bedrock-converse'>;

/** Models that take a JSON schema for their answer and for the calls of their tools. */
const WITH_SCHEMA =
  /gpt-oss|openai\.gpt-[5-9]|qwen3|gemma-[3-9]|kimi-k[2-9]|minimax|nemotron|deepseek\.v[3-9]|mistral-large-3|ministral-3|magistral|voxtral/;

/** How the models that Converse reaches are asked to think, by family. The first that matches counts. */
const THINKING: readonly (readonly [RegExp, ConverseTraits])[] = [
  [/nova-[2-9]/, { effortField: 'reasoningConfig', efforts: ['none', 'low', 'medium', 'high'] }],
  [/gpt-oss/, { effortField: 'reasoning_effort', efforts: ['low', 'medium', 'high'] }],
  [
    /openai\.gpt-[5-9]/,
    {
      effortField: 'reasoning',
      efforts: ['none', 'low', 'medium', 'high', 'xhigh'],
      supportsSampling: false,
    },
  ],
];

/** Models that cache what is marked: in what the system and the user say, but neither tools nor calls. */
const CACHING = /amazon\.nova-/;
const PLACES: Required<ConverseTraits>['cachePoints'] = ['system', 'messages'];

/**
 * How a model behind Converse differs from others, by its name. One that no rule knows, as behind the ARN of a profile of
 * one's own, is asked for nothing that only some understand.
 *
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/conversation-inference-supported-models-features.html
 * @see https://docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html
 */
export function readConverseTraits(model: string): ConverseTraits {
  const [, thinking = {}] = THINKING.find(([name]) => name.test(model)) ?? [];
  const cachePoints = CACHING.test(model) ? { cachePoints: PLACES } : {};
  return { efforts: [], supportsJsonSchema: WITH_SCHEMA.test(model), ...thinking, ...cachePoints };
}
