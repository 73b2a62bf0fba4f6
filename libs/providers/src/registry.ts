import { anthropic } from './anthropic/index.js';
import { azureOpenai } from './azure-openai/index.js';
import { bedrock } from './bedrock/index.js';
import { dashscope } from './dashscope/index.js';
import { cohere } from './cohere/index.js';
import { deepseek } from './deepseek/index.js';
import type { ProviderDescriptor } from './descriptor.js';
import { fireworks } from './fireworks/index.js';
import { fal } from './fal/index.js';
import { gemini } from './gemini/index.js';
import { groq } from './groq/index.js';
import { kling } from './kling/index.js';
import { minimax } from './minimax/index.js';
import { jina } from './jina/index.js';
import { mistral } from './mistral/index.js';
import { moonshot } from './moonshot/index.js';
import { ollama } from './ollama/index.js';
import { openai } from './openai/index.js';
import { openaiCompatible } from './openai-compatible/index.js';
import { openrouter } from './openrouter/index.js';
import { qwen } from './qwen/index.js';
import { replicate } from './replicate/index.js';
import { runway } from './runway/index.js';
import { sandbox } from './sandbox/index.js';
import { togetherai } from './togetherai/index.js';
import { vertex } from './vertex/index.js';
import { videonative } from './videonative/index.js';
import { vllm } from './vllm/index.js';
import { voyage } from './voyage/index.js';
import { volcengine } from './volcengine/index.js';
import { xai } from './xai/index.js';
import { zhipu } from './zhipu/index.js';

/** Every provider, one line each. */
const PROVIDERS: readonly ProviderDescriptor[] = [
  openai,
  openaiCompatible,
  azureOpenai,
  anthropic,
  gemini,
  vertex,
  bedrock,
  deepseek,
  openrouter,
  mistral,
  xai,
  groq,
  togetherai,
  fireworks,
  moonshot,
  qwen,
  zhipu,
  volcengine,
  videonative,
  kling,
  minimax,
  runway,
  dashscope,
  fal,
  replicate,
  ollama,
  vllm,
  cohere,
  jina,
  voyage,
  sandbox,
];

const BY_ID: ReadonlyMap<string, ProviderDescriptor> = new Map(
  PROVIDERS.map((provider) => [provider.id, provider]),
);

/** The descriptor of a channel's type, or `undefined` when there is none. */
export function findProvider(type: string): ProviderDescriptor | undefined {
  return BY_ID.get(type);
}

/**
 * Who serves a type of channel, in OpenTelemetry's words.
 *
 * @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/gen-ai/
 */
export function nameProvider(type: string): string {
  return findProvider(type)?.telemetryName ?? type;
}

export function listProviders(): readonly ProviderDescriptor[] {
  return PROVIDERS;
}
