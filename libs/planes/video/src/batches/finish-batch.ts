import { type Batch, type EndedLine, readRequest } from '@mg/persistence/video';
import { type Unanswered, writeUnanswered } from '@mg/protocols';
import type { BatchContext } from './batch-context.js';

const NEWLINE = Buffer.from('\n');

/** Writes the results of a batch whose lines are over, in the order of its lines, and ends it. */
export async function finishBatch(batch: Batch, context: BatchContext): Promise<void> {
  const { work } = context;
  const why = batch.cancellingAt ? 'cancelled' : 'expired';
  const open = await work.countOpen(batch.id);
  const { succeeded, failed } = batch.counts;
  const isSplit = batch.api === 'batch';
  const outputFileId = await writeFile(
    batch,
    {
      suffix: 'output',
      count: isSplit ? succeeded : succeeded + failed + open,
      read: () => readResults(batch, why, context, (state) => !isSplit || state === 'succeeded'),
    },
    context,
  );
  const errorFileId = await writeFile(
    batch,
    {
      suffix: 'error',
      count: isSplit ? failed + open : 0,
      read: () => readResults(batch, why, context, (state) => state !== 'succeeded'),
    },
    context,
  );
  await work.end(batch.id, {
    state: batch.cancellingAt ? 'cancelled' : open > 0 ? 'expired' : 'completed',
    cancelled: why === 'cancelled' ? open : 0,
    expired: why === 'expired' ? open : 0,
    outputFileId,
    errorFileId,
  });
}

interface ResultFile {
  readonly suffix: 'output' | 'error';
  readonly count: number;
  /** Its lines, each time from the first one on. */
  readonly read: () => AsyncIterable<Buffer>;
}

/** @returns the id of the file; `undefined` where it would hold nothing. A worker that takes over writes it anew. */
async function writeFile(
  { id, walletId, details }: Batch,
  { suffix, count, read }: ResultFile,
  { files, work }: BatchContext,
): Promise<string | undefined> {
  if (count === 0) return undefined;
  const seconds = details.output_expires_seconds;
  const file = {
    id: `file-${id.replace(/^[a-z]+_/, '')}-${suffix}`,
    purpose: 'batch_output',
    filename: `${id}_${suffix}.jsonl`,
    mimeType: 'application/jsonl',
    expiresInSeconds: typeof seconds === 'number' ? seconds : undefined,
  };
  const { id: fileId } = await files.writeResults(walletId, file, read, (step) =>
    work.whileClaimed(id, step),
  );
  return fileId;
}

async function* readResults(
  batch: Batch,
  why: Unanswered,
  { work }: BatchContext,
  isWanted: (state: EndedLine['state']) => boolean,
): AsyncGenerator<Buffer> {
  let after = 0;
  for (;;) {
    const lines = await work.readLines(batch.id, after);
    for (const line of lines) {
      if (!isWanted(line.state)) continue;
      yield writeLine(batch, line, why);
      yield NEWLINE;
    }
    const last = lines.at(-1);
    if (!last) return;
    after = last.line;
  }
}

function writeLine({ id, api }: Batch, { line, state, text }: EndedLine, why: Unanswered): Buffer {
  const place = { batchId: id, line };
  if (text === undefined) return Buffer.from(writeUnanswered(api, { ...place, tag: null }, 'unreadable'));
  if (state !== 'open') return text;
  return Buffer.from(writeUnanswered(api, { ...place, tag: readRequest(text).tag }, why));
}
