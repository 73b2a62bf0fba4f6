import { countCodePoints } from '../canonical/code-points.js';
import { limitLikeliest, LogprobsPass, writeToken } from '../canonical/logprobs.js';
import { readList, readNumber, readObject, readObjects, readText } from '../canonical/read-fields.js';
import { runAtOnce, type Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';

const reading = new LogprobsPass(readLists);
const writing = new LogprobsPass((logprobs) => writeLists(logprobs, 0));

/** Log probabilities in parallel lists, as this protocol has them, in the canonical shape, which is that of OpenAI's chat. */
export function readCompletionLogprobs(logprobs: unknown): JsonObject | undefined {
  return isObject(logprobs) ? reading.of(logprobs) : undefined;
}

/** The log probabilities of a whole answer in parallel lists. */
export const writeCompletionLogprobs = writing.of;

/** @param start code points of the answer before these tokens. */
export function continueCompletionLogprobs(logprobs: JsonObject, start: number): JsonObject {
  return runAtOnce(writeLists(logprobs, start));
}

/** What reads and writes the log probabilities of whole answers. */
export const completionLogprobs = {
  list: (answer: JsonObject): readonly JsonObject[] =>
    readObjects(answer.choices)
      .map(({ logprobs }) => logprobs)
      .filter(isObject),
  reading,
  writing,
};

function* readLists(lists: JsonObject): Steps<JsonObject | undefined> {
  const values = readList(lists.token_logprobs);
  const tops = readList(lists.top_logprobs);
  const content: JsonObject[] = [];
  for (const [index, token] of readList(lists.tokens).entries()) {
    const likeliest = limitLikeliest(Object.entries(readObject(tops[index]) ?? {}));
    content.push({
      ...readToken(token, values[index]),
      top_logprobs: likeliest.map(([name, value]) => readToken(name, value)),
    });
    yield;
  }
  return content.length === 0 ? undefined : { content };
}

function readToken(token: unknown, logprob: unknown): JsonObject {
  return writeToken(readText(token) ?? '', readNumber(logprob) ?? 0);
}

function* writeLists(logprobs: JsonObject, start: number): Steps<JsonObject> {
  const tokens: string[] = [];
  const values: (number | null)[] = [];
  const tops: JsonObject[] = [];
  const offsets: number[] = [];
  let offset = start;
  let hasTops = false;
  for (const entry of readObjects(logprobs.content)) {
    const token = readText(entry.token) ?? '';
    const likeliest = limitLikeliest(readObjects(entry.top_logprobs));
    hasTops ||= likeliest.length > 0;
    tokens.push(token);
    values.push(readNumber(entry.logprob) ?? null);
    tops.push(listByToken(likeliest));
    offsets.push(offset);
    offset += countCodePoints(token);
    yield;
  }
  return { tokens, token_logprobs: values, top_logprobs: hasTops ? tops : null, text_offset: offsets };
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
