import { omitUndefined } from '@mg/contract';
import { limitLikeliest, LogprobsPass, writeToken } from '../canonical/logprobs.js';
import { readNumber, readObjects, readText } from '../canonical/read-fields.js';
import type { Steps } from '../canonical/steps.js';
import { isObject, type JsonObject } from '../json.js';

const reading = new LogprobsPass(readResult);
const writing = new LogprobsPass(writeResult);

/** Google's `logprobsResult` in the canonical shape, which is OpenAI's. */
export function readGeminiLogprobs(result: unknown): JsonObject | undefined {
  return isObject(result) ? reading.of(result) : undefined;
}

/** Likelihoods in the canonical shape as Google's `logprobsResult`. */
export const writeGeminiLogprobs = writing.of;

/** What reads and writes the likelihoods of whole answers. */
export const geminiLogprobs = {
  list: (answer: JsonObject): readonly JsonObject[] =>
    readObjects(answer.candidates)
      .map(({ logprobsResult }) => logprobsResult)
      .filter(isObject),
  reading,
  writing,
};

function* readResult(result: JsonObject): Steps<JsonObject | undefined> {
  const top = readObjects(result.topCandidates);
  const content: JsonObject[] = [];
  for (const [index, chosen] of readObjects(result.chosenCandidates).entries()) {
    const likeliest = limitLikeliest(readObjects(top[index]?.candidates));
    content.push({ ...readCandidate(chosen), top_logprobs: likeliest.map(readCandidate) });
    yield;
  }
  return content.length === 0 ? undefined : { content };
}

function readCandidate(candidate: JsonObject): JsonObject {
  return writeToken(readText(candidate.token) ?? '', readNumber(candidate.logProbability) ?? 0);
}

function* writeResult(logprobs: JsonObject): Steps<JsonObject> {
  const topCandidates: JsonObject[] = [];
  const chosenCandidates: JsonObject[] = [];
  for (const token of readObjects(logprobs.content)) {
    topCandidates.push({
      candidates: limitLikeliest(readObjects(token.top_logprobs)).map(writeCandidate),
    });
    chosenCandidates.push(writeCandidate(token));
    yield;
  }
  return { topCandidates, chosenCandidates };
}

function writeCandidate(token: JsonObject): JsonObject {
  return omitUndefined({ token: readText(token.token), logProbability: readNumber(token.logprob) });
}
