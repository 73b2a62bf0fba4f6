import { randomUUID } from 'node:crypto';
import type { Block, Citation, TextBlock, ToolCallBlock } from '../canonical/blocks.js';
import { readReplyIdText } from '../canonical/limit-answer.js';
import { isCitable, limitAnswer } from '../canonical/limit-items.js';
import { OUTPUT_TOOL } from '../canonical/output-tool.js';
import { readNumber, readObject, readObjects, readText } from '../canonical/read-fields.js';
import { throwUpstreamError, isTooDeep } from '../canonical/refuse.js';
import type { CanonicalChoice, CanonicalReply } from '../canonical/reply.js';
import { atOnce, type Steps } from '../canonical/steps.js';
import { TextOffsets } from '../canonical/text-offsets.js';
import { isObject, type JsonObject } from '../json.js';
import { type ByteCitation, readByteCitations, toCitation } from './citations.js';
import { decodePart } from './decode-parts.js';
import { countGeminiItems } from './count-items.js';
import { readFaultObject } from './errors.js';
import { readGeminiLogprobs } from './logprobs.js';
import { isFailedGeneration, readGeminiStop } from './map-stop-reason.js';
import { readGeminiUsage } from './read-usage.js';

/**
 * Reads a whole answer of `generateContent`, in steps since there may be thousands of citations.
 *
 * @throws GatewayError `upstream_error` for an answer that failed or is none.
 */
export function* decodeGeminiReplyInSteps(reply: JsonObject): Steps<CanonicalReply> {
  if (isTooDeep(reply)) throwUpstreamError("The upstream's answer is nested too deeply.");
  const fault = readFaultObject(reply);
  if (fault) throwUpstreamError(fault.message);
  limitAnswer(countGeminiItems(reply));
  const id = readReplyId(reply);
  const nextCallId = createCallIds(id);
  const candidates = readObjects(reply.candidates);
  const blocked = readBlockedPrompt(reply);
  if (candidates.length === 0 && !blocked) throwUpstreamError("The upstream's answer holds no candidates.");
  const cites = isCitable(candidates.reduce((sum, candidate) => sum + countCharacters(candidate), 0));
  const choices: CanonicalChoice[] = candidates.length === 0 && blocked ? [blocked] : [];
  for (const candidate of candidates) choices.push(yield* decodeCandidate(candidate, nextCallId, cites));
  return {
    id,
    model: readText(reply.modelVersion) ?? '',
    created: readCreated(reply),
    choices,
    usage: readGeminiUsage(reply.usageMetadata),
    ext: {},
  };
}

/** The same in one step. */
export const decodeGeminiReply = atOnce(decodeGeminiReplyInSteps);

export function readReplyId(reply: JsonObject): string {
  return readReplyIdText(readText(reply.responseId) || randomUUID());
}

/** In characters: `Date.parse` reads all of what it is given. RFC 3339 with nanoseconds has 35. */
const LONGEST_TIME = 64;

/** Seconds since the epoch; only Vertex reports it. */
export function readCreated(reply: JsonObject): number {
  const time = Date.parse((readText(reply.createTime) ?? '').slice(0, LONGEST_TIME));
  return Number.isNaN(time) ? 0 : Math.floor(time / 1000);
}

/** Ids for calls that have none, unique as long as replies' ids are; every protocol takes their characters. */
export function createCallIds(replyId: string): () => string {
  const base = replyId.replaceAll(/[^a-zA-Z0-9_-]/g, '').slice(0, 40);
  let made = 0;
  return () => `call_${base}_${made++}`;
}

/** A prompt that a policy stopped gets no candidates; for clients it is an answer that was filtered. */
export function readBlockedPrompt(reply: JsonObject): CanonicalChoice | undefined {
  const feedback = readObject(reply.promptFeedback);
  const reason = readText(feedback?.blockReason);
  if (reason === undefined) return undefined;
  return {
    blocks: [],
    stop: 'filtered',
    stopSequence: undefined,
    refusal: readText(feedback?.blockReasonMessage) ?? `The prompt was blocked: ${reason}.`,
    logprobs: undefined,
  };
}

/** The upstream's own failure as a message, when that is how a candidate ended. */
export function readFailedGeneration(candidate: JsonObject): string | undefined {
  const reason = readText(candidate.finishReason);
  if (reason === undefined || !isFailedGeneration(reason)) return undefined;
  return readText(candidate.finishMessage) ?? `The upstream ended the answer with ${reason}.`;
}

/** Of the texts of a candidate. */
function countCharacters(candidate: JsonObject): number {
  return listParts(candidate).reduce((sum, { text }) => sum + (readText(text)?.length ?? 0), 0);
}

function listParts(candidate: JsonObject): readonly JsonObject[] {
  return readObjects(readObject(candidate.content)?.parts);
}

/** @param cites whether the answer is short enough for the places of its citations to be counted. */
function* decodeCandidate(
  candidate: JsonObject,
  nextCallId: () => string,
  cites: boolean,
): Steps<CanonicalChoice> {
  const glitch = readFailedGeneration(candidate);
  if (glitch !== undefined) throwUpstreamError(glitch);
  const parts = listParts(candidate).filter((part) => !isDraft(part));
  const blocks = yield* citeParts(
    restoreAnswer(parts.map((part) => decodePart(part, nextCallId) ?? [])),
    cites ? readByteCitations(candidate) : [],
  );
  const stop = readGeminiStop(
    readText(candidate.finishReason) ?? 'STOP',
    blocks.some((block) => block.type === 'tool-call'),
  );
  return {
    blocks,
    stop,
    stopSequence: undefined,
    refusal: stop === 'filtered' ? readText(candidate.finishMessage) : undefined,
    logprobs: readGeminiLogprobs(candidate.logprobsResult),
  };
}

/** The call that stands for an answer in JSON is the answer. */
function restoreAnswer(parts: readonly (readonly Block[])[]): readonly (readonly Block[])[] {
  const answer = parts.flat().find(isAnswer);
  if (!answer) return parts;
  return parts.map((blocks) =>
    blocks.flatMap((block) => (isAnswer(block) ? toAnswer(block, answer) : [block])),
  );
}

type AnswerCall = ToolCallBlock & { readonly name: typeof OUTPUT_TOOL };

/** Whether a block is a call of the tool by which the model answers. */
export function isAnswer(block: Block): block is AnswerCall {
  return block.type === 'tool-call' && block.name === OUTPUT_TOOL;
}

/** A second answer beside the first would make neither of them JSON. */
function toAnswer(block: ToolCallBlock, first: ToolCallBlock): TextBlock[] {
  return block === first ? [{ type: 'text', text: block.arguments }] : [];
}

/** Images among the thoughts are drafts of the answer's image. */
export function isDraft(part: JsonObject): boolean {
  return part.thought === true && isObject(part.inlineData);
}

/** What is cited in a text. */
interface CitedBlock {
  readonly citations: Citation[];
  readonly offsets: TextOffsets;
}

/** Puts citations on the text they are about: that of the part they name, else the part in which they end. */
function* citeParts(parts: readonly (readonly Block[])[], found: readonly ByteCitation[]): Steps<Block[]> {
  if (found.length === 0) return parts.flat();
  let from = 0;
  const texts = parts.map((blocks, index) => {
    const text = blocks.find((block) => block.type === 'text');
    const start = from;
    from += text ? Buffer.byteLength(text.text) : 0;
    return { index, text, start, end: from };
  });
  const cited = new Map<TextBlock, CitedBlock>();
  for (const citation of found) {
    const named = texts[citation.part ?? 0];
    const isNamed = named?.text !== undefined && (citation.endByte ?? 0) <= named.end - named.start;
    const end = citation.endByte ?? from;
    const place = isNamed ? named : texts[findPlace(texts, end)];
    if (!place?.text) continue;
    let block = cited.get(place.text);
    if (!block) {
      block = { citations: [...(place.text.citations ?? [])], offsets: new TextOffsets(place.text.text) };
      cited.set(place.text, block);
      yield* block.offsets.noteInSteps();
    }
    block.citations.push(toCitation(citation, block.offsets, isNamed ? 0 : place.start));
    yield;
  }
  return parts.flat().map((block) => {
    const { citations } = (block.type === 'text' && cited.get(block)) || {};
    return citations ? { ...block, citations } : block;
  });
}

/** Index of the first text that ends at `end` or behind it: texts stand one after another, and there may be thousands. */
function findPlace(texts: readonly { readonly end: number }[], end: number): number {
  let [low, high] = [0, end <= 0 ? 0 : texts.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((texts[middle]?.end ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return end <= 0 ? texts.length : low;
}

/** Index of a candidate. */
export function readIndex(candidate: JsonObject): number {
  const index = readNumber(candidate.index) ?? 0;
  return Number.isInteger(index) && index >= 0 && index < 128 ? index : 0;
}
