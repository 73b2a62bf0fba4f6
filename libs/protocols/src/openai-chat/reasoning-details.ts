import type { ReasoningBlock } from '../canonical/blocks.js';
import { readObjects } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import { type JsonObject, parseObject } from '../json.js';
import { CHARACTERS_PER_VALUE, LIGHT, weigh } from '../strict-json/stringify-in-slices.js';

const HOME = 'openai-chat';
/** How a signature begins that is one of these details, and no other provider's. */
const MARK = '{"type":"reasoning.';

/**
 * Reads OpenRouter's `reasoning_details`: reasoning with what proves them, which have to come back as they were. A
 * detail without its text is the signature of its thought.
 *
 * @see https://openrouter.ai/docs/use-cases/reasoning-tokens
 */
export function readDetails(details: unknown): ReasoningBlock[] {
  return readObjects(details)
    .map(readDetail)
    .filter((block) => block !== undefined);
}

/**
 * Characters of what stands beside the texts of a message's details: it is written and parsed as JSON in one step, which takes some
 * milliseconds. What proves the longest reasoning has half a million.
 */
const MOST_FACTS = 2 * 1024 * 1024;

/** @throws GatewayError `invalid_request` where the details of one message hold more than is read. */
export function limitDetails(details: unknown, name: string): void {
  if (holdsTooManyFacts(details))
    refuseField(name, `must hold at most ${MOST_FACTS} characters beside their texts`);
}

/** Whether the details of one message, of a request or an answer, hold more than is read. */
export function holdsTooManyFacts(details: unknown): boolean {
  let characters = 0;
  for (const { text: _text, summary: _summary, ...facts } of readObjects(details)) {
    for (const value of Object.values(facts))
      characters += typeof value === 'string' ? value.length : sizeOf(value);
  }
  return characters > MOST_FACTS;
}

/** About the characters of a value's JSON; what providers give there is small. */
function sizeOf(value: unknown): number {
  const weight = weigh(value);
  return weight < LIGHT ? weight * CHARACTERS_PER_VALUE : MOST_FACTS;
}

export function readDetail(detail: JsonObject): ReasoningBlock | undefined {
  const { type, text, summary, ...facts } = detail;
  const content = [text, summary].find((value) => typeof value === 'string') ?? '';
  const value = JSON.stringify({ type, ...facts });
  if (type === 'reasoning.encrypted' && typeof facts.data === 'string') {
    return { type: 'reasoning', text: '', redacted: { protocol: HOME, value } };
  }
  if (typeof facts.signature === 'string' && facts.signature !== '') {
    return { type: 'reasoning', text: String(content), signature: { protocol: HOME, value } };
  }
  return content === '' ? undefined : { type: 'reasoning', text: String(content) };
}

/** The detail that a thought came as; `undefined` for reasoning that came in another way. */
export function writeDetail(block: ReasoningBlock): JsonObject | undefined {
  const { protocol, value } = block.redacted ?? block.signature ?? {};
  if (protocol !== HOME || !value?.startsWith(MARK)) return undefined;
  const facts = parseObject(value);
  return facts && (block.redacted ? facts : { ...facts, text: block.text });
}
