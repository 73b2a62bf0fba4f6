import { describe, expect, it } from 'vitest';
import { batchRequest } from '../batches/batch-schema.js';
import { validate } from '../schema/validate.js';
import { changedConversation, newConversationItems } from './conversation-schema.js';

const MANY = Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`name ${at}`.padEnd(100), at]));

describe('what conversations are made of', () => {
  it('M5: are items of any members, none of which is copied', () => {
    const item = { role: 'user', content: 'Hello.', ...MANY };
    expect(newConversationItems.parse({ items: [item] }).items[0]).toBe(item);
  });

  it.each([
    ['items[0]', 'Hello.'],
    ['items[0].type', { type: 7 }],
    ['items[0]', { content: 'Hello.' }],
    ['items[0]', { type: 'item_reference', id: 'msg_1' }],
  ])('but not %s of %j', (param, item) => {
    expect(() => validate(newConversationItems, { items: [item] })).toThrow(
      expect.objectContaining({ param }),
    );
  });
});

describe('notes of what is kept', () => {
  it.each([
    ['a conversation', changedConversation, {}],
    [
      'a batch',
      batchRequest,
      { input_file_id: 'file-1', endpoint: '/v1/responses', completion_window: '24h' },
    ],
  ])('M5: are counted before each is looked at, for %s', (_, schema, rest) => {
    const refused = (metadata: unknown) => {
      const { error } = schema.safeParse({ ...rest, metadata });
      return error?.issues.map(({ path }) => path.join('.'));
    };
    expect(refused(MANY)).toEqual(['metadata']);
    expect(refused({ a: 7 })).toEqual(['metadata.a']);
    expect(refused('a')).toEqual(['metadata']);
    expect(refused({ a: 'b' })).toBeUndefined();
    expect(refused(null)).toBeUndefined();
  });
});
