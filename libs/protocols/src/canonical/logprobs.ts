import { AttachedValue } from '../attached-value.js';
import { isObject, type JsonObject } from '../json.js';
import { readList, readObjects } from './read-fields.js';
import { runAtOnce, runInSlices, type Steps } from './steps.js';

/** Likeliest tokens beside one. APIs give 20 at most; a model that one runs oneself gives as many as it is told to. */
const MOST_LIKELIEST = 1_000;
/** What has more characters is no token, and its bytes would take many times its memory. */
const MOST_TOKEN_CHARACTERS = 1_024;
/** Tokens that an event of a stream is written with in one step, the likeliest beside each of them included: a millisecond or two. */
const STEP_TOKENS = 1_000;

/** A token as OpenAI's chat has it. */
export function writeToken(token: string, logprob: number): JsonObject {
  return { token, logprob, bytes: token.length > MOST_TOKEN_CHARACTERS ? null : [...Buffer.from(token)] };
}

/** The likeliest tokens in the place of one, as many as are converted. */
export function limitLikeliest<T>(tokens: readonly T[]): readonly T[] {
  return tokens.length > MOST_LIKELIEST ? tokens.slice(0, MOST_LIKELIEST) : tokens;
}

/** What can be done with the likelihoods of a whole answer in steps before it is asked for. */
export interface NotedLogprobs {
  /** @param pause is waited for between two steps. */
  note(logprobs: readonly JsonObject[], pause: () => Promise<void>): Promise<void>;
}

/**
 * Converts likelihoods: an answer of 16,000 tokens has 20 for each of them. Those of a whole answer can be converted in steps before
 * they are asked for.
 */
export class LogprobsPass<Result extends object | undefined> implements NotedLogprobs {
  readonly #noted = new AttachedValue<JsonObject, { readonly result: Result }>();

  constructor(private readonly convert: (logprobs: JsonObject) => Steps<Result>) {}

  /** In one step, but for what was noted before. */
  readonly of = (logprobs: JsonObject): Result => {
    const noted = this.#noted.get(logprobs);
    return noted ? noted.result : runAtOnce(this.convert(logprobs));
  };

  async note(logprobs: readonly JsonObject[], pause: () => Promise<void>): Promise<void> {
    for (const one of logprobs) {
      this.#noted.set(one, { result: await runInSlices(this.convert(one), pause) });
      await pause();
    }
  }
}

/** The likelihoods in the canonical shape as several of that shape, each of which is written in one step; as they are where they are few. */
export function cutLogprobs(logprobs: JsonObject): readonly JsonObject[] {
  const lists = Object.entries(logprobs).map(([name, tokens]) => ({ name, tokens: readList(tokens) }));
  const weight = lists.flatMap(({ tokens }) => tokens).reduce<number>((sum, token) => sum + weigh(token), 0);
  if (weight <= STEP_TOKENS) return [logprobs];
  return lists.flatMap(({ name, tokens }) => cutTokens(tokens).map((piece) => ({ [name]: piece })));
}

function cutTokens(tokens: readonly unknown[]): readonly (readonly unknown[])[] {
  const pieces: unknown[][] = [];
  let weight = STEP_TOKENS;
  for (const token of tokens) {
    const limited = limitToken(token);
    if (weight >= STEP_TOKENS) {
      pieces.push([]);
      weight = 0;
    }
    pieces.at(-1)?.push(limited);
    weight += weigh(limited);
  }
  return pieces;
}

/** A token and the likeliest ones in its place. */
function weigh(token: unknown): number {
  return 1 + (isObject(token) ? readList(token.top_logprobs).length : 0);
}

function limitToken(token: unknown): unknown {
  if (!isObject(token) || readList(token.top_logprobs).length <= MOST_LIKELIEST) return token;
  return { ...token, top_logprobs: limitLikeliest(readObjects(token.top_logprobs)) };
}
