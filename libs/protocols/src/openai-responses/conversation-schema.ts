import { z } from 'zod';
import { textMember } from '../schema/answers.js';
import { object, pairsUpTo, textUpTo } from '../schema/fields.js';
import { toJsonSchema } from '../schema/json-schema.js';

/** Items that may be added at a time. */
const MAX_NEW_ITEMS = 20;
const MAX_PAIRS = 16;
const MAX_NAME_CHARACTERS = 64;
const MAX_VALUE_CHARACTERS = 512;

const PAIRS = `must hold at most ${MAX_PAIRS} texts of ${MAX_VALUE_CHARACTERS} characters, with names of ${MAX_NAME_CHARACTERS}`;

const metadata = pairsUpTo(
  MAX_PAIRS,
  z.record(textUpTo(MAX_NAME_CHARACTERS, PAIRS), textUpTo(MAX_VALUE_CHARACTERS, PAIRS, PAIRS), PAIRS),
  PAIRS,
);

/** Kinds of items that are told apart by their member `type`; a message may leave it out. They are not copied. */
const newItem = object
  .refine(({ type }) => type === undefined || typeof type === 'string', {
    path: ['type'],
    error: 'must be a string',
  })
  .refine((item) => item.type !== undefined || typeof item.role === 'string', 'must have a type or a role')
  .refine((item) => item.type !== 'item_reference', 'must be the item itself, not a reference')
  .meta(toJsonSchema(z.looseObject({ type: z.string().optional() })));
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
