import { describe, expect, it } from 'vitest';
import { readGenericVideoRequest } from './read-generic-request.js';
import { readNativeVideoRequest } from './read-native-request.js';

const GENERIC = { model: 'm', prompt: 'p' };
const NATIVE = { model: 'm', content: [{ type: 'text', text: 'p' }] };

const read = {
  generic: (fields: object) =>
    readGenericVideoRequest(Buffer.from(JSON.stringify({ ...GENERIC, ...fields }))),
  native: (fields: object) => readNativeVideoRequest(Buffer.from(JSON.stringify({ ...NATIVE, ...fields }))),
};

const repeat = <Item>(length: number, item: Item) => Array.from({ length }, () => item);

/** So many members, each with a name of so many characters. */
function nameMembers(count: number, characters = 1): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${index}`.padStart(characters, 'x'), 1] as const),
  );
}

describe.each(['generic', 'native'] as const)(
  'C1: what an order by the %s API holds, read in one step',
  (api) => {
    it.each([
      ['numbers', { hints: repeat(290_000, 1) }, 'hints', /20000 items/],
      ['lists', { hints: repeat(20_001, []) }, 'hints', /20000 items/],
      ['members', { hints: nameMembers(2_001) }, 'hints', /2000 members/],
      [
        'members of many objects',
        { hints: [nameMembers(900), nameMembers(900), nameMembers(900)] },
        'hints',
        /2000/,
      ],
      ['long names', { hints: nameMembers(200, 200) }, 'hints', /32768 characters/],
    ])('is bounded: %s', (_, fields, param, message) => {
      expect(() => read[api](fields)).toThrow(
        expect.objectContaining({ code: 'invalid_request', param, message: expect.stringMatching(message) }),
      );
    });

    it('may be the paths of a camera and of six masks', () => {
      const path = Array.from({ length: 77 }, (_, at) => ({ x: at, y: at }));
      const hints = { masks: repeat(6, { mask: 'https://example.com/a.png', path }) };
      const order = read[api]({ hints, latents: repeat(16_000, 0.5) });
      expect(JSON.stringify(order)).toContain(
        '"hints":{"masks":[{"mask":"https://example.com/a.png","path":[{"x":0,',
      );
    });
  },
);

it('C1: the parts of a native order are counted before they are looked at', () => {
  expect(() => read.native({ content: repeat(20_000, 1) })).toThrow(
    expect.objectContaining({ param: 'content', message: expect.stringMatching(/at most 64 parts/) }),
  );
});
