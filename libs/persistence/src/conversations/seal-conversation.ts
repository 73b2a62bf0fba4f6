import { openSecret, sealSecret, type SecretKey } from '../secrets/seal-secret.js';

/** The row that an encrypted text lies in: copied to another it does not open. */
export type ConversationPlace =
  | { readonly walletId: string; readonly id: string }
  | { readonly conversationId: string; readonly itemId: string };

/** Encrypts the metadata of a conversation, or one of its items. */
export function sealConversation(text: string, place: ConversationPlace, key: SecretKey): string {
  return sealSecret(text, toPlace(place), key);
}

/** @throws SecretError when it was encrypted with another ENCRYPTION_KEY, or for another row. */
export function openConversation(sealed: string, place: ConversationPlace, key: SecretKey): string {
  return openSecret(sealed, toPlace(place), key);
}

function toPlace(place: ConversationPlace): string {
  return 'walletId' in place
    ? `conversation ${place.walletId} ${place.id}`
    : `conversation item ${place.conversationId} ${place.itemId}`;
}
