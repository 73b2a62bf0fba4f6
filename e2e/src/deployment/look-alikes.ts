import type { Wire } from './wires.js';

/** Providers that speak chat completions in their own way. The channel's type adds the rest of each address. */
export const LOOK_ALIKES: readonly Wire[] = [
  { name: 'deepseek', type: 'deepseek', path: '/deepseek', model: 'deepseek-v4-flash' },
  { name: 'openrouter', type: 'openrouter', path: '/openrouter', model: 'anthropic/claude-sonnet-5' },
  { name: 'mistral', type: 'mistral', path: '/mistral', model: 'mistral-medium-3-5' },
  { name: 'xai', type: 'xai', path: '/xai', model: 'grok-4.3' },
  { name: 'groq', type: 'groq', path: '/groq', model: 'openai/gpt-oss-120b' },
  { name: 'togetherai', type: 'togetherai', path: '/togetherai', model: 'openai/gpt-oss-120b' },
  { name: 'fireworks', type: 'fireworks', path: '/fireworks', model: 'accounts/fireworks/models/kimi-k2p6' },
  { name: 'moonshot', type: 'moonshot', path: '/moonshot', model: 'kimi-k2.6' },
  { name: 'qwen', type: 'qwen', path: '/qwen', model: 'qwen3.5-plus' },
  { name: 'zhipu', type: 'zhipu', path: '/zhipu', model: 'glm-5v-turbo' },
  { name: 'volcengine', type: 'volcengine', path: '/volcengine', model: 'doubao-seed-2-0-lite-260215' },
  { name: 'ollama', type: 'ollama', path: '/ollama', model: 'qwen3-vl' },
  { name: 'vllm', type: 'vllm', path: '/vllm', model: 'Qwen/Qwen3-VL-30B-A3B-Thinking' },
];
