import { omitUndefined } from '@mg/contract';
import type { Block, Citation, MediaBlock, ToolCallBlock } from '../canonical/blocks.js';
import { pickRest } from '../canonical/check-fields.js';
import { writeInput } from '../canonical/json-text.js';
import { readReplyIdText } from '../canonical/limit-answer.js';
import { isCitable, limitAnswer } from '../canonical/limit-items.js';
import { guessMediaType, parseDataUrl, readMediaKind } from '../canonical/media-type.js';
import { throwUpstreamError, isTooDeep } from '../canonical/refuse.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import { hasCalls, resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject } from '../json.js';
import { readCallSignature, readReasoning } from './carry-reasoning.js';
import { countChatItems } from './count-items.js';
import { readFaultObject } from './errors.js';
import { readStopReason } from './map-stop-reason.js';
import { holdsTooManyFacts } from './reasoning-details.js';
import { readChunkUsage } from './read-usage.js';

const HOME = 'openai-chat';
const FIELDS = new Set(['id', 'object', 'created', 'model', 'choices', 'usage', 'x_groq']);

const TOO_MANY_FACTS =
  'The answer of the upstream holds longer proofs of its reasoning than any model gives.';

/** Reads a whole chat completion. @throws GatewayError `upstream_error` when it is none. */
export function decodeReply(body: JsonObject): CanonicalReply {
  if (!Array.isArray(body.choices) || isTooDeep(body)) {
    return throwUpstreamError(
      readFaultObject(body)?.message ?? 'The answer of the upstream is no chat completion.',
    );
  }
  limitAnswer(countChatItems(body));
  const id = typeof body.id === 'string' ? readReplyIdText(body.id) : '';
  const rest = pickRest(body, FIELDS);
  return {
    id,
    model: typeof body.model === 'string' ? body.model : '',
    created: typeof body.created === 'number' ? body.created : 0,
    choices: body.choices.filter(isObject).map((choice) => decodeChoice(choice, id)),
    usage: readChunkUsage(body),
    ext: rest ? { [HOME]: rest } : {},
  };
}

/** An image in an answer, as OpenRouter sends it. */
export function decodeImage(image: unknown): MediaBlock | undefined {
  const held = isObject(image) && isObject(image.image_url) ? image.image_url : undefined;
  if (typeof held?.url !== 'string') return undefined;
  const bytes = parseDataUrl(held.url);
  if (bytes) {
    return { type: 'media', kind: readMediaKind(bytes.mediaType), source: { type: 'bytes', ...bytes } };
  }
  const mediaType = guessMediaType(held.url);
  return { type: 'media', kind: 'image', source: { type: 'url', url: held.url, mediaType } };
}

/** A citation, whose offsets count from the start of the message. */
export function decodeAnnotation(annotation: unknown, blockStart = 0): Citation | undefined {
  if (!isObject(annotation) || !isObject(annotation.url_citation)) return undefined;
  const cited = annotation.url_citation;
  const offset = (value: unknown) =>
    typeof value === 'number' ? Math.max(0, value - blockStart) : undefined;
  return {
    start: offset(cited.start_index),
    end: offset(cited.end_index),
    url: typeof cited.url === 'string' ? cited.url : undefined,
    title: typeof cited.title === 'string' ? cited.title : undefined,
    quote: typeof cited.content === 'string' ? cited.content : undefined,
  };
}

/** A piece of an answer's content. */
export interface ContentPiece {
  readonly kind: 'text' | 'reasoning';
  readonly text: string;
}

/** Pieces of a content that is a string, or the parts that Mistral sends: reasoning and text. */
export function readContentPieces(content: unknown): ContentPiece[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }];
  if (!Array.isArray(content)) return [];
  return content.filter(isObject).flatMap((part): ContentPiece[] => {
    if (part.type === 'thinking') {
      return readContentPieces(part.thinking).map(({ text }) => ({ kind: 'reasoning', text }));
    }
    return readContentPieces(part.text);
  });
}

function decodeChoice(choice: JsonObject, replyId: string): CanonicalChoice {
  const message = isObject(choice.message) ? choice.message : {};
  if (holdsTooManyFacts(message.reasoning_details)) throwUpstreamError(TOO_MANY_FACTS);
  const blocks = decodeMessage(message, replyId);
  return {
    blocks,
    stop: resolveStopReason(readStopReason(choice.finish_reason), hasCalls(blocks)),
    stopSequence: undefined,
    refusal: typeof message.refusal === 'string' && message.refusal !== '' ? message.refusal : undefined,
    logprobs: isObject(choice.logprobs) ? choice.logprobs : undefined,
  };
}

function decodeMessage(message: JsonObject, replyId: string): Block[] {
  const pieces = readContentPieces(message.content);
  const reasoning = pieces.filter((piece) => piece.kind === 'reasoning').map((piece) => piece.text);
  const texts = pieces.filter((piece) => piece.kind === 'text').map((piece) => piece.text);
  const blocks: Block[] = readReasoning(message, HOME);
  for (const text of joinShort(reasoning)) blocks.push({ type: 'reasoning', text });
  const said = joinShort(texts);
  const annotations = said.length > 1 ? undefined : message.annotations;
  for (const text of said) if (text !== '') blocks.push(decodeText(text, annotations));
  for (const image of Array.isArray(message.images) ? message.images : []) {
    const media = decodeImage(image);
    if (media) blocks.push(media);
  }
  return [...blocks, ...decodeCalls(message, replyId)];
}

/** Pieces as one text; as they are where it is so long that nothing is cited in it: joined, megabytes would be copied in one step. */
function joinShort(pieces: readonly string[]): readonly string[] {
  const characters = pieces.reduce((sum, { length }) => sum + length, 0);
  return pieces.length > 1 && isCitable(characters) ? [pieces.join('')] : pieces;
}

function decodeText(text: string, annotations: unknown): Block {
  const citations = (Array.isArray(annotations) ? annotations : [])
    .map((annotation) => decodeAnnotation(annotation))
    .filter((citation) => citation !== undefined);
  return omitUndefined({ type: 'text', text, citations: citations.length > 0 ? citations : undefined });
}

function decodeCalls(message: JsonObject, replyId: string): ToolCallBlock[] {
  const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
  const legacy = isObject(message.function_call) ? [{ function: message.function_call }] : [];
  return [...calls, ...legacy]
    .map((call: JsonObject, index) => decodeCall(call, callId(replyId, index)))
    .filter((call) => call !== undefined);
}

/** An id for a call that came without one. */
export function callId(replyId: string, index: number): string {
  return `call_${replyId.replaceAll(/[^a-zA-Z0-9_-]/g, '')}_${index}`;
}

function decodeCall(call: JsonObject, fallbackId: string): ToolCallBlock | undefined {
  const called = isObject(call.function) ? call.function : {};
  if (typeof called.name !== 'string' || called.name === '') return undefined;
  const signature = readCallSignature(call, HOME);
  return omitUndefined({
    type: 'tool-call',
    id: typeof call.id === 'string' && call.id !== '' ? call.id : fallbackId,
    name: restoreToolName(called.name),
    arguments: readCallArguments(called.arguments),
    signature,
  });
}

/** Look-alikes send an object where the protocol has JSON text. */
function readCallArguments(value: unknown): string {
  if (typeof value === 'string') return value === '' ? '{}' : value;
  return isObject(value) ? writeInput(value) : '{}';
}
