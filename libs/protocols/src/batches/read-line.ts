import type { BatchProtocol, ReadLine, ShownBatch } from './batch.js';
import { readGoogleLine } from './read-google-batch.js';
import { readOpenAiLine } from './openai-batch.js';

/** A batch whose requests are in a file. */
export interface FiledBatch extends Pick<ShownBatch, 'endpoint' | 'details'> {
  readonly api: BatchProtocol;
}

/**
 * Reads a line of the file of a batch, in the shape of the API that it came in by.
 *
 * @param pause is waited for now and then.
 */
export function readLine(
  text: Buffer,
  { api, endpoint, details }: FiledBatch,
  pause: () => Promise<void>,
): Promise<ReadLine> {
  return api === 'google_batch'
    ? readGoogleLine(text, String(details.model), pause)
    : readOpenAiLine(text, endpoint, pause);
}

/** What lines of a file are told apart by. */
export function nameTag({ api }: Pick<FiledBatch, 'api'>): 'custom_id' | 'key' {
  return api === 'google_batch' ? 'key' : 'custom_id';
}
