import { randomUUID } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import type { Block, Citation, MediaBlock, ReasoningBlock, ToolCallBlock } from '../canonical/blocks.js';
import { countCodePoints } from '../canonical/code-points.js';
import type { ReplyContext } from '../canonical/codec.js';
import { cutDataUrl } from '../canonical/media-type.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import type { JsonObject } from '../json.js';
import { joinTexts } from '../strict-json/joined-text.js';
import { writeCallSignature, writeThinkingBlock } from './carry-reasoning.js';
import { encodeUsage } from './encode-usage.js';
import { writeStopReason } from './map-stop-reason.js';

const HOME = 'openai-chat';
const ID_PREFIX = 'chatcmpl-';

/** Writes a whole chat completion. */
export function encodeReply(reply: CanonicalReply, context: ReplyContext): JsonObject {
  return {
    id: encodeId(reply.id),
    object: 'chat.completion',
    created: encodeCreated(reply.created),
    model: context.model,
    choices: reply.choices.map((choice, index) => encodeChoice(choice, index, context)),
    ...omitUndefined({ usage: reply.usage ? encodeUsage(reply.usage) : undefined }),
    ...reply.ext[HOME],
  };
}

/** An id as clients of this protocol know it. */
export function encodeId(id: string): string {
  if (id === '') return ID_PREFIX + randomUUID().replaceAll('-', '');
  return id.startsWith(ID_PREFIX) ? id : ID_PREFIX + id;
}

/** Seconds since the epoch; now, where the upstream's protocol does not report it. */
export function encodeCreated(created: number): number {
  return created > 0 ? created : Math.floor(Date.now() / 1000);
}

/** A citation of a text that begins at `blockStart` and has `length` code points; only places in the web can be cited. */
export function encodeAnnotation(
  citation: Citation,
  blockStart: number,
  length: number,
): JsonObject | undefined {
  if (citation.url === undefined) return undefined;
  return {
    type: 'url_citation',
    url_citation: {
      url: citation.url,
      title: citation.title ?? '',
      start_index: blockStart + (citation.start ?? 0),
      end_index: blockStart + (citation.end ?? length),
    },
  };
}

/** An image in an answer, as OpenRouter's clients know it. */
export function encodeImage(block: MediaBlock): JsonObject | undefined {
  const { source } = block;
  if (source.type === 'url') return { type: 'image_url', image_url: { url: source.url } };
  if (source.type === 'bytes')
    return { type: 'image_url', image_url: { url: joinTexts(cutDataUrl(source)) } };
  return undefined;
}

function encodeChoice(choice: CanonicalChoice, index: number, context: ReplyContext): JsonObject {
  return {
    index,
    message: encodeMessage(choice, context),
    logprobs: choice.logprobs ?? null,
    finish_reason: writeStopReason(choice.stop, context.functionCalls),
  };
}

function encodeMessage(choice: CanonicalChoice, context: ReplyContext): JsonObject {
  const { blocks } = choice;
  const text = joinTexts(blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
  const calls = blocks.filter((block) => block.type === 'tool-call');
  const images = blocks
    .filter((block) => block.type === 'media')
    .map(encodeImage)
    .filter((image) => image !== undefined);
  const annotations = encodeAnnotations(blocks);
  const called = context.functionCalls ? encodeFunctionCall(calls) : encodeCalls(calls);
  return {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || choice.refusal !== undefined) ? null : text,
    refusal: choice.refusal ?? null,
    ...encodeReasoning(blocks.filter((block) => block.type === 'reasoning')),
    ...omitUndefined({
      annotations: annotations.length > 0 ? annotations : undefined,
      images: images.length > 0 ? images : undefined,
    }),
    ...called,
  };
}

function encodeCalls(calls: readonly ToolCallBlock[]): JsonObject {
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map((call) => ({
      id: call.id,
      type: 'function',
      function: encodeFunction(call),
      ...writeCallSignature(call.signature),
    })),
  };
}

/** The deprecated form has room for one call. */
function encodeFunctionCall([call]: readonly ToolCallBlock[]): JsonObject {
  return call ? { function_call: encodeFunction(call) } : {};
}

function encodeFunction(call: ToolCallBlock): JsonObject {
  return { name: call.name, arguments: call.arguments === '' ? '{}' : call.arguments };
}

function encodeReasoning(blocks: readonly ReasoningBlock[]): JsonObject {
  const text = joinTexts(blocks.map((block) => block.text));
  const signed = blocks.map((block) => writeThinkingBlock(block)).filter((block) => block !== undefined);
  return omitUndefined({
    reasoning_content: text === '' ? undefined : text,
    thinking_blocks: signed.length > 0 ? signed : undefined,
  });
}

/** Offsets count in the joined text of the message. */
function encodeAnnotations(blocks: readonly Block[]): JsonObject[] {
  const annotations: JsonObject[] = [];
  if (!blocks.some((block) => block.type === 'text' && block.citations?.length)) return annotations;
  let start = 0;
  for (const block of blocks) {
    if (block.type !== 'text') continue;
    const length = countCodePoints(block.text);
    for (const citation of block.citations ?? []) {
      const annotation = encodeAnnotation(citation, start, length);
      if (annotation) annotations.push(annotation);
    }
    start += length;
  }
  return annotations;
}
