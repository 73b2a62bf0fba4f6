import { omitUndefined } from '@mg/contract';
import type { ReasoningEffort, TraitsOf } from '@mg/protocols';

type Efforts = readonly ReasoningEffort[];

/** Models of OpenAI that think, by name, with the efforts they know. The first that matches counts. */
const THINKING_MODELS: readonly (readonly [RegExp, Efforts])[] = [
  [/^o1-(?:mini|preview)/, []],
  [/^(?:o\d|computer-use|codex-mini)/, ['low', 'medium', 'high']],
  [/^gpt-5-pro/, ['high']],
  [/^gpt-5-codex/, ['low', 'medium', 'high']],
  [/^gpt-5(?!\.)/, ['minimal', 'low', 'medium', 'high']],
  [/^gpt-5\.1-codex-max/, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-5\.1/, ['none', 'low', 'medium', 'high']],
  [/^gpt-\d+\.\d+-pro/, ['medium', 'high', 'xhigh']],
  [/^gpt-5\./, ['none', 'low', 'medium', 'high', 'xhigh']],
  [/^gpt-6(?!\.)/, ['none', 'low', 'medium', 'high', 'xhigh', 'max']],
  [/^gpt-(?:[6-9]|\d{2})/, ['low', 'medium', 'high', 'xhigh', 'max']],
];
const CHAT_VARIANT = /^gpt-[\d.]+-chat/;

const LONGEST_ANSWERS: readonly (readonly [RegExp, number])[] = [
  [/^o1-(?:mini|preview)/, 65_536],
  [/^o\d/, 100_000],
  [CHAT_VARIANT, 16_384],
  [/^gpt-(?:[5-9]|\d{2})/, 128_000],
  [/^gpt-4\.1/, 32_768],
  [/^(?:gpt-4o|chatgpt-4o)/, 16_384],
  [/^gpt-(?:4-turbo|3\.5)/, 4_096],
];

/** Models that count far more tokens for an image than all others. @see https://platform.openai.com/docs/guides/images-vision */
const EXPENSIVE_IMAGES = /^gpt-4o-mini/;
const EXPENSIVE_IMAGE_TOKENS = 50_000;

/** Models from before structured output. */
const WITHOUT_SCHEMA = /^(?:gpt-3\.5|gpt-4(?![o.\d])|o1-(?:mini|preview)|chatgpt-4o)/;

/** Base models and the like: they continue a text and know no conversation. */
const COMPLETIONS_ONLY = /^(?:davinci-002|babbage-002|gpt-3\.5-turbo-instruct)/;
/** Offered by the Responses API alone. */
const RESPONSES_ONLY = /^(?:o\d|gpt-[\d.]+)-pro|codex|deep-research|computer-use/;
/** From GPT-5.4 on, chat completions call tools only without thinking. */
const PREFERS_RESPONSES = /^gpt-(?:5\.[4-9]|[6-9]|\d{2})(?!.*-chat)/;
/** Not offered by the Responses API. */
const CHAT_ONLY = /audio|search-preview/;

/** Models that search the web in chat completions, and by the Responses API. */
const SEARCHES_IN_CHAT = /search-(?:preview|api)/;
const SEARCHES_IN_RESPONSES = /^(?:gpt-4o|gpt-4\.1(?!-nano)|gpt-(?:[5-9]|\d{2})|o3(?!-mini)|o4)/;

/** Models whose reasoning the Responses API returns encrypted when it is asked to. Others refuse to be asked. */
const THINKS_IN_RESPONSES = /^(?:o\d|gpt-5|gpt-[6-9]|codex|grok-[4-9])/;

/** What is the same by chat completions and by the Responses API. */
function readShared(name: string): TraitsOf<'openai-chat'> & TraitsOf<'openai-responses'> {
  const efforts = CHAT_VARIANT.test(name) ? undefined : find(THINKING_MODELS, name);
  const maxOutputTokens = find(LONGEST_ANSWERS, name);
  return omitUndefined({
    supportsOpenAiFields: true,
    efforts: efforts ?? [],
    imageTokens: EXPENSIVE_IMAGES.test(name) ? EXPENSIVE_IMAGE_TOKENS : undefined,
    supportsSampling: efforts ? false : undefined,
    supportsDeveloperRole: efforts ? true : undefined,
    supportsJsonSchema: WITHOUT_SCHEMA.test(name) ? false : undefined,
    maxOutputTokens,
  });
}

/** How a model of OpenAI differs from chat completions at large. */
export function readOpenAiTraits(model: string): TraitsOf<'openai-chat'> {
  const name = baseName(model);
  const shared = readShared(name);
  return {
    ...shared,
    maxTokensField: 'max_completion_tokens',
    acceptsReasoningFields: false,
    ...omitUndefined({
      supportsWebSearch: SEARCHES_IN_CHAT.test(name) ? true : undefined,
      supportsStop: shared.supportsSampling === false ? false : undefined,
    }),
  };
}

/** The same by the Responses API, where most models search the web when they are asked to. */
export function readResponsesTraits(model: string): TraitsOf<'openai-responses'> {
  const name = baseName(model);
  return {
    ...readShared(name),
    thinksByDefault: THINKS_IN_RESPONSES.test(model),
    supportsWebSearch: SEARCHES_IN_RESPONSES.test(name),
  };
}

/** Which of OpenAI's protocols a model is offered in, the better one first. */
export function listOpenAiProtocols(
  model: string,
): readonly ('openai-chat' | 'openai-responses' | 'openai-completions')[] {
  const name = baseName(model);
  if (COMPLETIONS_ONLY.test(name)) return ['openai-completions'];
  if (RESPONSES_ONLY.test(name)) return ['openai-responses'];
  if (CHAT_ONLY.test(name)) return ['openai-chat'];
  return PREFERS_RESPONSES.test(name)
    ? ['openai-responses', 'openai-chat']
    : ['openai-chat', 'openai-responses'];
}

/** Fine-tuned models are named `ft:<model>:<organisation>:...`. */
function baseName(model: string): string {
  return model.startsWith('ft:') ? (model.split(':')[1] ?? model) : model;
}

function find<Value>(table: readonly (readonly [RegExp, Value])[], name: string): Value | undefined {
  return table.find(([pattern]) => pattern.test(name))?.[1];
}
