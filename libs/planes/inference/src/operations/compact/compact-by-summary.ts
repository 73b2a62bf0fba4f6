import { GatewayError } from '@mg/contract';
import { type JsonObject, parseObject, readSummary } from '@mg/protocols';
import type { PreparedAttempt, WholeAnswer } from '../../call/prepared-attempt.js';

/** Longer summaries are none: what is read of them is read in one step. */
const MAX_SUMMARY_BYTES = 1024 * 1024;

/** What a model has answered that was asked for a summary. */
export interface Summarised {
  readonly summary: string;
  /** The response that holds it. */
  readonly response: JsonObject;
  readonly answer: WholeAnswer;
}

/**
 * A chat that asks for a summary, as an attempt that answers with a compaction.
 *
 * @param write what its client is answered; the rest of the answer stays as it is.
 */
export function compactBySummary(
  chat: PreparedAttempt,
  write: (summarised: Summarised) => Promise<Pick<WholeAnswer, 'contentType' | 'bytes'>>,
): PreparedAttempt {
  const { endpoint, bodies, passedHeaders, dropped, limits } = chat;
  return {
    endpoint,
    bodies,
    passedHeaders,
    dropped,
    limits,
    stream: undefined,
    readAnswer: async (answers) => {
      const answer = await chat.readAnswer(answers);
      const response = readResponse(answer);
      const summary = readSummary(response);
      if (summary === '') throw refuseAnswer('its answer holds no summary');
      const { usage } = answer;
      return { ...(await write({ summary, response, answer })), usage, readText: () => answer.readText() };
    },
    isRefusal: (answers) => chat.isRefusal?.(answers) ?? false,
    parseUpstreamError: (text) => chat.parseUpstreamError(text),
  };
}

function readResponse({ bytes }: WholeAnswer): JsonObject {
  const response = bytes.length > MAX_SUMMARY_BYTES ? undefined : parseObject(bytes.toString('utf8'));
  if (!response) throw refuseAnswer('its summary is longer than any can be');
  return response;
}

/** What is wrong with an upstream's answer. */
export function refuseAnswer(why: string): GatewayError {
  return new GatewayError('upstream_error', why);
}
