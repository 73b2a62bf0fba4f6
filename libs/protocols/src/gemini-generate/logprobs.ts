import { omitUndefined } from '@mg/contract';
import { readNumber, readObjects, readText } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';

/** Google's `logprobsResult` in the canonical shape, which is OpenAI's. */
export function readGeminiLogprobs(result: unknown): JsonObject | undefined {
  if (!isObject(result)) return undefined;
  const top = readObjects(result.topCandidates);
  const content = readObjects(result.chosenCandidates).map((chosen, index) => ({
    ...readToken(chosen),
    top_logprobs: readObjects(top[index]?.candidates).map(readToken),
  }));
  return content.length === 0 ? undefined : { content };
}

function readToken(candidate: JsonObject): JsonObject {
  const token = readText(candidate.token) ?? '';
  return {
    token,
    logprob: readNumber(candidate.logProbability) ?? 0,
    bytes: [...Buffer.from(token)],
  };
}

export function writeGeminiLogprobs(logprobs: JsonObject): JsonObject {
  const content = readObjects(logprobs.content);
  return {
    topCandidates: content.map((token) => ({ candidates: readObjects(token.top_logprobs).map(writeToken) })),
    chosenCandidates: content.map(writeToken),
  };
}

function writeToken(token: JsonObject): JsonObject {
  return omitUndefined({ token: readText(token.token), logProbability: readNumber(token.logprob) });
}
