import { omitUndefined } from '@mg/contract';
import type { ReasoningEffort, TraitsOf } from '@mg/protocols';

type ClaudeTraits = TraitsOf<'anthropic-messages'>;

/** `claude-opus-4-6`, `claude-haiku-4-5-20251001`, `us.anthropic.claude-opus-4-1-20250805-v1:0`, `claude-sonnet-4@20250514`. */
const NAME = /claude-(opus|sonnet|haiku|fable|mythos)-(\d+)(?:[-.](\d{1,2})(?!\d))?/;
/** The order of words before Claude 4: `claude-3-7-sonnet-20250219`. */
const OLD_NAME = /claude-(?:v?2|instant|3(?:[-.](\d))?)/;

const LEVELS: readonly ReasoningEffort[] = ['low', 'medium', 'high', 'max'];
const ALL_LEVELS: readonly ReasoningEffort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** More than the largest image has after it was scaled down. @see https://platform.claude.com/docs/en/build-with-claude/vision */
const IMAGE_TOKENS = 5_000;

/**
 * How a Claude model differs from its protocol at large, by its name on whatever platform. Other models behind the
 * same protocol sign nothing and want their reasoning back.
 */
export function readClaudeTraits(model: string): ClaudeTraits {
  return model.includes('claude')
    ? { imageTokens: IMAGE_TOKENS, cachesMarked: true, ...readOwn(model) }
    : readOwn(model);
}

function readOwn(model: string): ClaudeTraits {
  const [, family, major, minor] = NAME.exec(model) ?? [];
  if (family !== undefined) return readModern(family, Number(major) + Number(minor ?? 0) / 100);
  const old = OLD_NAME.exec(model);
  if (old) return readOld(old[1]);
  return model.includes('claude')
    ? {}
    : { supportsAdaptiveThinking: false, acceptsReasoningHistory: true, supportsJsonSchema: false };
}

/** @param version 4.06 for Claude 4.6. */
function readModern(family: string, version: number): ClaudeTraits {
  const adaptive = version >= 4.06;
  const refusesSampling = version >= 4.07 || family === 'mythos';
  return {
    supportsAdaptiveThinking: adaptive,
    ...readThinkingSwitch(family, version),
    ...omitUndefined({
      supportsTemperatureWithTopP: version >= (family === 'opus' ? 4.01 : 4.05) ? false : undefined,
      efforts: adaptive ? (refusesSampling ? ALL_LEVELS : LEVELS) : undefined,
      supportsPrefill: adaptive ? false : undefined,
      supportsSampling: refusesSampling ? false : undefined,
    }),
    supportsJsonSchema: version >= (family === 'opus' ? 4.01 : 4.05),
    ...omitUndefined({ supportsLaterSystemTurns: family === 'opus' && version >= 4.08 ? true : undefined }),
    maxOutputTokens: findLongestAnswer(family, version),
  };
}

/**
 * Models since 5 think unless told not to, and the latest cannot be switched off. Where thinking cannot be switched off, no
 * call can be forced either.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking
 * @see https://platform.claude.com/docs/en/models/sonnet-5-5/migration-guide
 */
function readThinkingSwitch(family: string, version: number): ClaudeTraits {
  if (family === 'fable' || family === 'mythos' || (family === 'opus' && version >= 5.05)) {
    return { thinksByDefault: true, thinkingOff: 'lowest_effort', supportsForcedToolChoice: false };
  }
  if (family === 'sonnet' && version >= 5.05) {
    return { thinksByDefault: true, thinkingOff: 'between_tools', supportsForcedToolChoice: false };
  }
  if (version >= 5) return { thinksByDefault: true };
  return version >= 4.07 ? { thinkingOff: 'omitted' } : {};
}

function findLongestAnswer(family: string, version: number): number {
  if (version >= 5 || (family === 'opus' && version >= 4.06)) return 128_000;
  return family === 'opus' && version < 4.05 ? 32_000 : 64_000;
}

function readOld(minor: string | undefined): ClaudeTraits {
  const thinks = minor === '7';
  const maxOutputTokens = thinks ? 64_000 : minor === '5' ? 8_192 : 4_096;
  return omitUndefined({
    supportsAdaptiveThinking: false,
    supportsJsonSchema: false,
    maxOutputTokens,
    efforts: thinks ? undefined : [],
  });
}
