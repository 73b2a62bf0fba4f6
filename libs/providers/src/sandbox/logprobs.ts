import { splitIntoGroups } from './tokens.js';

const LIKELY = -0.05;
const UNLIKELY = -3.5;

/** Simulated log probabilities of a text: each part certain, its alternatives unlikely. */
export function describeLogprobs(text: string, alternatives: number): unknown {
  const content = splitIntoGroups(text).map((token) => ({
    token,
    logprob: LIKELY,
    bytes: [...Buffer.from(token)],
    top_logprobs: Array.from({ length: alternatives }, (_, rank) =>
      rank === 0
        ? { token, logprob: LIKELY, bytes: [...Buffer.from(token)] }
        : { token: `${token}${rank}`, logprob: UNLIKELY - rank, bytes: null },
    ),
  }));
  return { content, refusal: null };
}
