import { countCodePoints } from '../canonical/code-points.js';
import { readList, readNumber, readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { JsonObject } from '../json.js';

/** Log probabilities in parallel lists, as this protocol has them, in the canonical shape, which is that of OpenAI's chat. */
export function readCompletionLogprobs(logprobs: unknown): JsonObject | undefined {
  const lists = readObject(logprobs);
  if (!lists) return undefined;
  const values = readList(lists.token_logprobs);
  const tops = readList(lists.top_logprobs);
  const content = readList(lists.tokens).map((token, index) => ({
    ...describeToken(token, values[index]),
    top_logprobs: Object.entries(readObject(tops[index]) ?? {}).map(([name, value]) =>
      describeToken(name, value),
    ),
  }));
  return content.length === 0 ? undefined : { content };
}

function describeToken(token: unknown, logprob: unknown): JsonObject {
  const text = readText(token) ?? '';
  return { token: text, logprob: readNumber(logprob) ?? 0, bytes: [...Buffer.from(text)] };
}

/** @param start code points of the answer before these tokens. */
export function writeCompletionLogprobs(logprobs: JsonObject, start: number): JsonObject {
  const content = readObjects(logprobs.content);
  const tokens = content.map((entry) => readText(entry.token) ?? '');
  const tops = content.map((entry) => readObjects(entry.top_logprobs));
  let offset = start;
  const offsets = tokens.map((token) => {
    const at = offset;
    offset += countCodePoints(token);
    return at;
  });
  return {
    tokens,
    token_logprobs: content.map((entry) => readNumber(entry.logprob) ?? null),
    top_logprobs: tops.every((top) => top.length === 0) ? null : tops.map(listByToken),
    text_offset: offsets,
  };
}

/** Code points of the tokens that log probabilities belong to. */
export function measureLogprobs(logprobs: JsonObject): number {
  return readObjects(logprobs.content).reduce(
    (sum, entry) => sum + countCodePoints(readText(entry.token) ?? ''),
    0,
  );
}

function listByToken(top: readonly JsonObject[]): JsonObject {
  return Object.fromEntries(
    top.map((entry) => [readText(entry.token) ?? '', readNumber(entry.logprob) ?? 0]),
  );
}
