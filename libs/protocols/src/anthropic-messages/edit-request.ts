import type { StoredBytes } from '../exchange/stored-bytes.js';
import { editBody } from '../splice-json.js';
import type { ChatEnvelope } from '../chat/chat-envelope.js';

/** What the native lane may change in a request; everything else reaches the upstream byte for byte. */
export interface MessagesEdits {
  /** The upstream's own name of the model. */
  readonly model: string;
}

/** Edits the raw bytes of a request. Returns the very same buffer when nothing has to change. */
export function editMessagesRequest(
  body: Buffer,
  envelope: ChatEnvelope,
  edits: MessagesEdits,
): Buffer | StoredBytes {
  if (edits.model === envelope.model) return body;
  return editBody(body, new Map([['model', JSON.stringify(edits.model)]]));
}
