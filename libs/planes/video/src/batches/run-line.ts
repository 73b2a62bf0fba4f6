import type { ClaimedLine, LineRequest } from '@mg/persistence/video';
import { type LineAnswer, writeResult, writeUnanswered } from '@mg/protocols';
import type { BatchAnswer } from '@mg/transport';
import { errorMessage } from '@mg/runtime';
import type { BatchContext } from './batch-context.js';
import { judgeAnswer, type Verdict } from './judge-answer.js';
import { offerLine } from './native/offer-line.js';
import { explain, readBody } from './read-body.js';

/** Sends a line to the gateway, and keeps what came of it or when it is sent again. */
export async function runLine(line: ClaimedLine, context: BatchContext, signal: AbortSignal): Promise<void> {
  const { work, lines, logger } = context;
  const { batch, request } = line;
  if (!request) {
    const place = { batchId: batch.id, line: line.line };
    const result = writeUnanswered(batch.api, { ...place, tag: null }, 'unreadable');
    return work.endLine(place, 'failed', [Buffer.from(result)]);
  }
  const answer = await sendOrOffer(line, request, context, signal).catch((error: unknown) => {
    logger.debug({ batch: batch.id, line: line.line, reason: errorMessage(error) }, 'a line had no answer');
    return undefined;
  });
  // Whoever takes the line over gets the same answer.
  if (signal.aborted || answer === 'taken') return;
  const read = answer && { ...answer, body: await readBody(answer) };
  const verdict = judgeAnswer(read, line.attempt);
  lines.inc({ outcome: verdict.kind });
  await keep(line, request, verdict, read ?? NO_ANSWER, context);
}

/** What is kept of a line that the gateway never answered. */
const NO_ANSWER: LineAnswer = {
  status: 503,
  requestId: undefined,
  body: explain('service_unavailable', 'The gateway cannot be reached.'),
};

/** Makes the call of a line, unless a provider carries it out: then it is done with here. */
async function sendOrOffer(
  line: ClaimedLine,
  request: LineRequest,
  context: BatchContext,
  signal: AbortSignal,
): Promise<BatchAnswer | 'taken'> {
  const offered = await offerLine(line, request, context, signal);
  return offered === 'call' ? send(line, request, context, signal) : offered;
}

function send(
  { batch, line }: ClaimedLine,
  { body }: LineRequest,
  { gateway }: BatchContext,
  signal: AbortSignal,
): Promise<BatchAnswer> {
  const { keyHash, walletId, endpoint: path, headers } = batch;
  const idempotencyKey = `${batch.id}.${line}`;
  return gateway.send({ payer: { keyHash, walletId }, path, idempotencyKey, headers, body }, signal);
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
      const place = { batchId: batch.id, line: line.line };
      return work.endLine(place, verdict.kind, writeResult(batch.api, { ...place, tag }, answer));
    }
    case 'pause':
      await work.pause(batch.id, verdict.seconds);
      return work.postpone(line, { seconds: verdict.seconds, isKnown: true, isCounted: false });
    case 'retry':
      return work.postpone(line, { ...verdict, isCounted: true });
  }
}
