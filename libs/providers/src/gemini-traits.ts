import type { ReasoningEffort, TraitsOf } from '@mg/protocols';
import type { SurfaceCall } from './descriptor.js';

const VERSION = /gemini-(\d+)(?:\.(\d+))?/;
const WITH_MINIMAL = /gemini-3(?:\.[15])?-flash/;
const LEVELS: readonly ReasoningEffort[] = ['low', 'medium', 'high'];
/** Tokens of thinking that the larger models take. */
const PRO_BUDGET = { min: 128, max: 32_768 };

type GeminiTraits = TraitsOf<'gemini-generate'>;

/** What models since 3.0 understand, and their aliases such as `gemini-flash-latest`. */
const SINCE_GEMINI_3: GeminiTraits = {
  supportsThinkingLevels: true,
  requiresCallSignatures: true,
  supportsMediaResolution: true,
  supportsMediaInResults: true,
};
const UNTIL_GEMINI_2_5: GeminiTraits = { supportsThinkingLevels: false, supportsSchemaWithTools: false };

/** How a model of Google's differs from its protocol at large: by budget until 2.5, by level since 3. */
export function readGeminiTraits(model: string): GeminiTraits {
  const thinkingBudget = model.includes('pro') ? { thinkingBudget: PRO_BUDGET } : {};
  return { ...thinkingBudget, ...readGeneration(model) };
}

function readGeneration(model: string): GeminiTraits {
  const [, major, minor] = VERSION.exec(model) ?? [];
  if (model.startsWith('gemma')) return { efforts: [] };
  if (major === undefined) {
    return model.endsWith('-latest') ? { ...SINCE_GEMINI_3, efforts: listLatestLevels(model) } : {};
  }
  const version = Number(major) + Number(minor ?? 0) / 100;
  if (version < 2) return { ...UNTIL_GEMINI_2_5, efforts: [], maxOutputTokens: 8_192 };
  const supportsWebSearch = true;
  if (version < 2.05) return { ...UNTIL_GEMINI_2_5, efforts: [], maxOutputTokens: 8_192, supportsWebSearch };
  if (version < 3) return { ...UNTIL_GEMINI_2_5, maxOutputTokens: 65_536, supportsWebSearch };
  return { ...SINCE_GEMINI_3, supportsWebSearch, efforts: listLevels(model), maxOutputTokens: 65_536 };
}

/** Levels that every version of a model behind an alias knows. */
function listLatestLevels(model: string): readonly ReasoningEffort[] {
  return model.includes('pro') ? ['low', 'high'] : ['minimal', ...LEVELS];
}

function listLevels(model: string): readonly ReasoningEffort[] {
  if (/gemini-3-pro/.test(model)) return ['low', 'high'];
  return WITH_MINIMAL.test(model) ? ['minimal', ...LEVELS] : LEVELS;
}

/** The method at the end of a model's path, with the query that asks for server-sent events. */
export function nameGeminiMethod({ stream }: Pick<SurfaceCall, 'stream'>): string {
  return stream ? ':streamGenerateContent?alt=sse' : ':generateContent';
}
