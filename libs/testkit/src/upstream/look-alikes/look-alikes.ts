import type { Dialect } from '../dialects/dialect.js';
import { deepseek } from './deepseek.js';
import { fireworks } from './fireworks.js';
import { groq } from './groq.js';
import { mistral } from './mistral.js';
import { moonshot } from './moonshot.js';
import { ollama } from './ollama.js';
import { openrouter } from './openrouter.js';
import { qwen } from './qwen.js';
import { togetherai } from './togetherai.js';
import { vllm } from './vllm.js';
import { volcengine } from './volcengine.js';
import { xai } from './xai.js';
import { zhipu } from './zhipu.js';

/** Every provider of chat completions that the fake upstream plays as it really writes. */
export const LOOK_ALIKES: readonly Dialect[] = [
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
  ollama,
  vllm,
];
