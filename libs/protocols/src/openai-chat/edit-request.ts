import type { StoredBytes } from '../exchange/stored-bytes.js';
import { editBody } from '../splice-json.js';
import { readObject } from '../canonical/read-fields.js';
import type { ChatEnvelope } from '../chat/chat-envelope.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface ChatEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Ask the stream to report usage. */
  readonly forceUsage: boolean;
  /** Cap on the answer that the caller's funds set, for callers who set none. */
  readonly cap: { readonly field: string; readonly tokens: number } | undefined;
  /** Members that take the place of the request's own, as JSON. */
  readonly members?: ReadonlyMap<string, Buffer> | undefined;
}

const CAPS = ['max_tokens', 'max_completion_tokens'];

/** Edits the raw bytes of a request. Returns the very same buffer when nothing has to change. */
export function editChatRequest(
  body: Buffer,
  envelope: ChatEnvelope,
  edits: ChatEdits,
): Buffer | StoredBytes {
  const { parsed } = envelope;
  const changes = new Map<string, string | Buffer | undefined>(edits.members);
  if (edits.cap) {
    // A `null` beside our cap would be the value that some upstreams read.
    for (const field of CAPS) if (parsed[field] === null) changes.set(field, undefined);
    changes.set(edits.cap.field, String(edits.cap.tokens));
  }
  if (edits.forceUsage) changes.set('stream_options', withUsage(parsed.stream_options));
  if (edits.model !== envelope.model) changes.set('model', JSON.stringify(edits.model));
  return editBody(body, changes);
}

function withUsage(options: unknown): string {
  return JSON.stringify({ ...readObject(options), include_usage: true });
}
