import type { StoredBytes } from '../exchange/stored-bytes.js';
import { isObject } from '../json.js';
import { editBody } from '../splice-json.js';
import type { CompletionEnvelope } from './read-envelope.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface CompletionEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Ask the stream to report usage. */
  readonly forceUsage: boolean;
}

/**
 * Edits the raw bytes of a request. Where the caller set no cap on the answer, the protocol's own is written out: some
 * servers have none, and what was held for the call covers no more.
 *
 * @returns the very same buffer when nothing has to change.
 */
export function editCompletionRequest(
  body: Buffer,
  { model, maxTokens, parsed }: Pick<CompletionEnvelope, 'model' | 'maxTokens' | 'parsed'>,
  edits: CompletionEdits,
): Buffer | StoredBytes {
  const changes = new Map<string, string>();
  if (edits.model !== model) changes.set('model', JSON.stringify(edits.model));
  if (typeof parsed.max_tokens !== 'number') changes.set('max_tokens', String(maxTokens));
  if (edits.forceUsage) {
    const options = isObject(parsed.stream_options) ? parsed.stream_options : {};
    changes.set('stream_options', JSON.stringify({ ...options, include_usage: true }));
  }
  return editBody(body, changes);
}
