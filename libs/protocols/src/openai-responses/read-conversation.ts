import { parseRequestBody } from '../canonical/parse-request-body.js';
import type { JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { changedConversation, newConversation, newConversationItems } from './conversation-schema.js';

/** What a caller notes of a conversation, as names and values. */
type Metadata = Readonly<Record<string, string>>;

/** @throws GatewayError `invalid_request` whose `param` names the field. */
export function readNewConversation(body: Buffer): {
  readonly items: readonly JsonObject[];
  readonly metadata: Metadata;
} {
  const { items, metadata } = validate(newConversation, parseRequestBody(body));
  return { items: items ?? [], metadata: metadata ?? {} };
}

/** @throws GatewayError `invalid_request` whose `param` names the field. */
export function readChangedConversation(body: Buffer): { readonly metadata: Metadata } {
  const { metadata } = validate(changedConversation, parseRequestBody(body));
  return { metadata: metadata ?? {} };
}

/** @throws GatewayError `invalid_request` whose `param` names the field. */
export function readNewItems(body: Buffer): readonly JsonObject[] {
  return validate(newConversationItems, parseRequestBody(body)).items;
}
