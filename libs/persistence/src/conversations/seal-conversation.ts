import { openInSteps, type SealingSteps, sealToBytes } from '../secrets/seal-in-steps.js';
import { openSecret, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** The row of a conversation. What is encrypted for one row does not open in another. */
export interface ConversationPlace {
  readonly walletId: string;
  readonly id: string;
}

/** The row of an item. */
export interface ItemPlace {
  readonly conversationId: string;
  readonly itemId: string;
}

/** Encrypts the metadata of a conversation. */
export function sealConversation(text: string, place: ConversationPlace, key: SecretKey): string {
  return sealSecret(text, nameConversation(place), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openConversation(sealed: string, place: ConversationPlace, key: SecretKey): string {
  return openSecret(sealed, nameConversation(place), key);
}

/** Encrypts an item of a conversation, which may be megabytes long, as the bytes of a text. */
export function sealItem(text: Buffer, place: ItemPlace, steps: SealingSteps): Promise<Buffer> {
  return sealToBytes([text], nameItem(place), steps);
}

/** @throws SecretError as `openConversation`. */
export function openItem(sealed: string | Buffer, place: ItemPlace, steps: SealingSteps): Promise<Buffer> {
  return openInSteps(sealed, nameItem(place), steps);
}

function nameConversation({ walletId, id }: ConversationPlace): string {
  return `conversation ${walletId} ${id}`;
}

function nameItem({ conversationId, itemId }: ItemPlace): string {
  return `conversation item ${conversationId} ${itemId}`;
}
