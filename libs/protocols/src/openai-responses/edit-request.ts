import type { StoredBytes } from '../exchange/stored-bytes.js';
import { editBody } from '../splice-json.js';
import type { ChatEnvelope } from '../chat/chat-envelope.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface ResponsesEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
  /** Cap on the answer that the caller's funds set, for callers who set none, in tokens. */
  readonly cap: number | undefined;
  /** Members that take the place of the request's own, as JSON. */
  readonly members?: ReadonlyMap<string, Buffer> | undefined;
}

const CAP = 'max_output_tokens';

/** Edits the raw bytes of a request. Returns the very same buffer when nothing has to change. */
export function editResponsesRequest(
  body: Buffer,
  envelope: ChatEnvelope,
  edits: ResponsesEdits,
): Buffer | StoredBytes {
  const changes = new Map<string, string | Buffer>(edits.members);
  if (edits.cap !== undefined) changes.set(CAP, String(edits.cap));
  if (edits.model !== envelope.model) changes.set('model', JSON.stringify(edits.model));
  return editBody(body, changes);
}
