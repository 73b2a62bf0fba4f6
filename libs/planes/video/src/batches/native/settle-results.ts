import { setImmediate } from 'node:timers/promises';
import type { UpstreamBatch } from '@mg/persistence/video';
import { isObject, type JsonObject, readObjectInSlices, stringifyInSlices } from '@mg/protocols';
import { MAX_BATCH_ANSWER_BYTES } from '@mg/transport';
import type { BatchContext } from '../batch-context.js';
import { type FileLine, splitLines } from '../split-lines.js';
import type { LineSteps } from './line-steps.js';
import { forSeveralAtOnce } from './lines-at-once.js';
import { readLineName } from './name-line.js';
import type { ProviderClient } from './provider-batches.js';

/** An answer, and what stands around it. */
const MAX_LINE_BYTES = MAX_BATCH_ANSWER_BYTES + 64 * 1024;
const GONE = new Set([404, 410]);
const FAILED = 500;
const LIMITED = 429;

/**
 * Reads a file of results as it comes in, and settles the lines that it is about, several at once and in whatever order. Of two
 * results of one line the first counts. A line that is too long, or no JSON, says nothing of any request.
 *
 * @returns whether there was such a file.
 * @throws UpstreamFailure, GatewayAway: it is to be read again from the beginning.
 */
export async function settleResults(
  fileId: string,
  batch: UpstreamBatch,
  provider: ProviderClient,
  steps: LineSteps,
  context: BatchContext,
): Promise<boolean> {
  const { status, body } = await provider.openFile(fileId);
  try {
    if (GONE.has(status)) return false;
    if (status !== 200) throw new Error(`a file of results was answered with status ${status}`);
    const begun = new Set<unknown>();
    const settle = async ({ text }: FileLine) => {
      const result = text && (await readObjectInSlices(text, setImmediate));
      if (!result || begun.has(result.custom_id)) return;
      begun.add(result.custom_id);
      await settleResult(result, batch, steps, context).finally(() => begun.delete(result.custom_id));
    };
    const results = splitLines(body as AsyncIterable<Buffer>, MAX_LINE_BYTES);
    await forSeveralAtOnce(results, settle, { of: ({ text }) => text?.length ?? 0, most: MAX_LINE_BYTES });
    return true;
  } finally {
    body.destroy();
  }
}

async function settleResult(
  result: JsonObject,
  batch: UpstreamBatch,
  steps: LineSteps,
  { native, lines }: BatchContext,
): Promise<void> {
  const { custom_id, response } = result;
  const name = readLineName(custom_id);
  const line = name && (await native.upstream.findLine(batch, name.line, name.requestId));
  // Nobody is charged for what nobody of ours has asked.
  if (!line) return lines.inc({ outcome: 'unknown' });
  if (!line.isOpen) return;
  const { status_code: status, body } = isObject(response) ? response : {};
  if (typeof status !== 'number' || !isObject(body) || status >= FAILED || status === LIMITED) {
    return steps.free(line);
  }
  await steps.settle(line, status, await stringifyInSlices(body, setImmediate));
}
