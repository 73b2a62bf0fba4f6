import type { ClaimedLine, LineRequest } from '@mg/persistence/video';
import { isObject, type LineAnswer, parseJson, writeResult, writeUnanswered } from '@mg/protocols';
import type { BatchAnswer } from '@mg/transport';
import { errorMessage } from '@mg/runtime';
import type { BatchContext } from './batch-context.js';
import { judgeAnswer, type Verdict } from './judge-answer.js';

/** Sends a line to the gateway, and keeps what came of it or when it is sent again. */
export async function runLine(line: ClaimedLine, context: BatchContext, signal: AbortSignal): Promise<void> {
  const { work, lines, logger } = context;
  const { batch, request } = line;
  if (!request) {
    const place = { batchId: batch.id, line: line.line, tag: null };
    return work.endLine(batch.id, line.line, 'failed', writeUnanswered(batch.api, place, 'unreadable'));
  }
  const answer = await send(line, request, context, signal).catch((error: unknown) => {
    logger.debug({ batch: batch.id, line: line.line, reason: errorMessage(error) }, 'a line had no answer');
    return undefined;
  });
  // Whoever takes the line over gets the same answer.
  if (signal.aborted) return;
  const parsed = answer && { ...answer, body: readBody(answer) };
  const verdict = judgeAnswer(parsed, line.attempt);
  lines.inc({ outcome: verdict.kind });
  await keep(line, request, verdict, parsed ?? NO_ANSWER, context);
}

/** What is kept of a line that the gateway never answered. */
const NO_ANSWER: LineAnswer = {
  status: 503,
  requestId: undefined,
  body: {
    error: { type: 'api_error', code: 'service_unavailable', message: 'The gateway cannot be reached.' },
  },
};

function send(
  { batch, line }: ClaimedLine,
  { body }: LineRequest,
  { gateway }: BatchContext,
  signal: AbortSignal,
): Promise<BatchAnswer> {
  const { keyHash, walletId, endpoint } = batch;
  const idempotencyKey = `${batch.id}.${line}`;
  return gateway.send({ payer: { keyHash, walletId }, path: endpoint, idempotencyKey, body }, signal);
}

async function keep(
  line: ClaimedLine,
  { tag }: LineRequest,
  verdict: Verdict,
  answer: LineAnswer,
  { work }: BatchContext,
): Promise<void> {
  const { batch } = line;
  switch (verdict.kind) {
    case 'succeeded':
    case 'failed': {
      const place = { batchId: batch.id, line: line.line, tag };
      return work.endLine(batch.id, line.line, verdict.kind, writeResult(batch.api, place, answer));
    }
    case 'pause':
      await work.pause(batch.id, verdict.seconds);
      return work.postpone(line, { seconds: verdict.seconds, isKnown: true, isCounted: false });
    case 'retry':
      return work.postpone(line, { ...verdict, isCounted: true });
  }
}

/** A body that is too long, or no JSON, is told by an error in its place. */
function readBody({ text }: BatchAnswer): unknown {
  if (text === undefined) return explain('The answer is longer than a batch keeps.');
  try {
    const body = parseJson(text);
    return isObject(body) || Array.isArray(body) ? body : explain('The answer is no JSON object.');
  } catch {
    return explain('The answer is no JSON.');
  }
}

function explain(message: string) {
  return { error: { type: 'api_error', code: 'internal_error', message } };
}
