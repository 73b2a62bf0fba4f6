import type { BatchLine, BatchProtocol, LineAnswer, Unanswered } from './batch.js';
import { writeGoogleResult, writeGoogleUnanswered } from './google-batch-results.js';
import { writeMessageResult, writeMessageUnanswered } from './message-batch.js';
import { writeOpenAiResult, writeOpenAiUnanswered } from './openai-batch.js';

interface ResultWriter {
  answered(line: BatchLine, answer: LineAnswer): readonly Buffer[];
  unanswered(line: BatchLine, why: Unanswered): string;
}

const WRITERS: Readonly<Record<BatchProtocol, ResultWriter>> = {
  batch: { answered: writeOpenAiResult, unanswered: writeOpenAiUnanswered },
  message_batch: { answered: writeMessageResult, unanswered: writeMessageUnanswered },
  google_batch: { answered: writeGoogleResult, unanswered: writeGoogleUnanswered },
};

/** A line that was answered, as JSON without a line break in pieces, in the shape that its caller reads. */
export function writeResult(protocol: BatchProtocol, line: BatchLine, answer: LineAnswer): readonly Buffer[] {
  return WRITERS[protocol].answered(line, answer);
}

/** A line that was never answered, in the same shape. */
export function writeUnanswered(protocol: BatchProtocol, line: BatchLine, why: Unanswered): string {
  return WRITERS[protocol].unanswered(line, why);
}
