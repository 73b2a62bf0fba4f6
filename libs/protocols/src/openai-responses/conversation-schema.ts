import { z } from 'zod';
import { textMember } from '../schema/answers.js';
import { textUpTo } from '../schema/fields.js';

/** Items that may be added at a time. */
const MAX_NEW_ITEMS = 20;
const MAX_PAIRS = 16;
const MAX_NAME_CHARACTERS = 64;
const MAX_VALUE_CHARACTERS = 512;

const PAIRS = `must hold at most ${MAX_PAIRS} texts of ${MAX_VALUE_CHARACTERS} characters, with names of ${MAX_NAME_CHARACTERS}`;

const metadata = z
  .record(textUpTo(MAX_NAME_CHARACTERS, PAIRS), textUpTo(MAX_VALUE_CHARACTERS, PAIRS, PAIRS), PAIRS)
  .refine((pairs) => Object.keys(pairs).length <= MAX_PAIRS, PAIRS)
  .meta({ maxProperties: MAX_PAIRS });

/** Kinds of items that are told apart by their member `type`; a message may leave it out. */
const newItem = z
  .looseObject({ type: z.string('must be a string').optional() }, 'must be an object')
  .refine((item) => item.type !== undefined || typeof item.role === 'string', 'must have a type or a role')
  .refine((item) => item.type !== 'item_reference', 'must be the item itself, not a reference');
const LIST = `must be a list of at most ${MAX_NEW_ITEMS} items`;
const newItems = z.array(newItem, LIST).max(MAX_NEW_ITEMS, LIST);

/** @see https://platform.openai.com/docs/api-reference/conversations/create */
export const newConversation = z.looseObject({ items: newItems.nullish(), metadata: metadata.nullish() });

/** @see https://platform.openai.com/docs/api-reference/conversations/update */
export const changedConversation = z.looseObject({ metadata: metadata.nullable() });

/** @see https://platform.openai.com/docs/api-reference/conversations/create-items */
export const newConversationItems = z.looseObject({ items: newItems.min(1, 'must hold an item') });

/** @see https://platform.openai.com/docs/api-reference/conversations/object */
export const conversationAnswer = z.looseObject({
  id: textMember,
  object: z.literal('conversation'),
  created_at: z.int(),
  metadata,
});

export const deletedConversation = z.looseObject({
  id: textMember,
  object: z.literal('conversation.deleted'),
  deleted: z.literal(true),
});

/** One item of a conversation. */
export const conversationItem = z.looseObject({ type: textMember, id: textMember });
