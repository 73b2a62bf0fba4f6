import { omitUndefined } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import type { ReplyContext } from '../canonical/codec.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import { atOnce, type Steps } from '../canonical/steps.js';
import { adaptToolName } from '../canonical/tool-name.js';
import type { JsonObject } from '../json.js';
import { type CitedText, writeGroundingInSteps } from './citations.js';
import { encodeCall, encodeMedia, encodePlain, encodeThought } from './encode-parts.js';
import { writeGeminiLogprobs } from './logprobs.js';
import { writeGeminiStop } from './map-stop-reason.js';
import { writeGeminiUsage } from './read-usage.js';

/** Writes a whole answer of `generateContent` in steps. */
export function* encodeGeminiReplyInSteps(reply: CanonicalReply, context: ReplyContext): Steps<JsonObject> {
  const candidates: JsonObject[] = [];
  for (const [index, choice] of reply.choices.entries()) {
    candidates.push(yield* encodeCandidate(choice, index, context));
  }
  return omitUndefined({
    candidates,
    usageMetadata: reply.usage && writeGeminiUsage(reply.usage),
    modelVersion: context.model,
    responseId: reply.id === '' ? undefined : reply.id,
  });
}

/** The same in one step. */
export const encodeGeminiReply = atOnce(encodeGeminiReplyInSteps);

function* encodeCandidate(choice: CanonicalChoice, index: number, context: ReplyContext): Steps<JsonObject> {
  const parts: JsonObject[] = [];
  const texts: CitedText[] = [];
  for (const block of choice.blocks) {
    const part = encodeReplyBlock(block, context.showReasoning ?? true);
    if (!part) continue;
    if (block.type === 'text' && block.citations?.length) {
      texts.push({ text: block.text, citations: block.citations, from: 0, part: parts.length });
    }
    parts.push(part);
  }
  const refusal = encodeRefusal(choice);
  return omitUndefined({
    content: { parts: refusal ? [...parts, refusal] : parts, role: 'model' },
    finishReason: writeGeminiStop(choice.stop),
    finishMessage: choice.stop === 'filtered' ? choice.refusal : undefined,
    index,
    groundingMetadata: yield* writeGroundingInSteps(texts),
    logprobsResult: choice.logprobs && writeGeminiLogprobs(choice.logprobs),
  });
}

/** A refusal as text that ended normally is text. */
export function encodeRefusal({
  stop,
  refusal,
}: Pick<CanonicalChoice, 'stop' | 'refusal'>): JsonObject | undefined {
  return refusal === undefined || refusal === '' || stop === 'filtered' ? undefined : { text: refusal };
}

/** A whole block as a part; `undefined` for what a client of Google's protocol has no use for. */
export function encodeReplyBlock(block: Block, showReasoning: boolean): JsonObject | undefined {
  switch (block.type) {
    case 'text':
    case 'opaque':
      return encodePlain(block);
    case 'reasoning':
      return encodeThought(block, showReasoning);
    case 'media':
      return encodeMedia(block);
    case 'tool-call':
      return encodeCall(block, writeName(block.name), block.id);
    default:
      return undefined;
  }
}

/** A client declared the name itself, so it is one that Google's protocol takes; any other is rewritten if it can be. */
function writeName(name: string): string {
  return adaptToolName(name, { pattern: /^[a-zA-Z_]/, maxLength: 128 }) ?? name;
}
