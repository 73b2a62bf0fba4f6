import { describe, expect, it } from 'vitest';
import type { NameAddress } from '../exchange/exchange.js';
import { checkImageLink, deriveImageKeys, signImageLink } from './image-link.js';
import { readImageGeneration } from './read-images.js';

const TARGET = {
  protocol: 'openai-images',
  model: 'm',
  channelType: 'openai',
  traits: {},
  dropped: { add: () => undefined },
} as const;

describe('an image with an address', () => {
  it.each([
    [{}, { url: 'https://ours/a.png', b64_json: 'AA' }],
    [{ response_format: 'url' }, { url: 'https://ours/a.png' }],
    [{ response_format: 'b64_json' }, { b64_json: 'AA' }],
  ])('is answered as the client asks by %j', (asked, expected) => {
    const request = JSON.stringify({ model: 'm', prompt: 'a fox', ...asked });
    const nameAddress: NameAddress = (base64, type) =>
      base64 === 'AA' && type === 'image/png' ? 'https://ours/a.png' : undefined;
    const bytes = Buffer.from(JSON.stringify({ created: 1, data: [{ b64_json: 'AA' }] }));
    const answer = { contentType: 'application/json', bytes, parsed: JSON.parse(bytes.toString()) };
    const read = readImageGeneration(Buffer.from(request)).prepare(TARGET).readAnswer([answer], nameAddress);
    expect(JSON.parse(read.bytes.toString()).data).toEqual([expected]);
  });
});

describe('a link to an image', () => {
  const keys = deriveImageKeys('one key of an installation');
  const query = (expires: number, by = keys) => {
    const { expires: at = '', sig = '' } = Object.fromEntries(
      new URLSearchParams(signImageLink('img_a.png', expires, by)),
    );
    return { expires: at, sig };
  };

  it('works until it expires, for its own image, and while the key is being rotated', () => {
    const link = query(1_000);
    expect(checkImageLink('img_a.png', link, keys, 999_000)).toBe(true);
    expect(checkImageLink('img_a.png', link, keys, 1_000_001)).toBe(false);
    expect(checkImageLink('img_b.png', link, keys, 0)).toBe(false);
    expect(checkImageLink('img_a.png', { ...link, expires: '2000' }, keys, 0)).toBe(false);
    const rotated = deriveImageKeys('another key', 'one key of an installation');
    expect(checkImageLink('img_a.png', link, rotated, 0)).toBe(true);
    expect(checkImageLink('img_a.png', link, deriveImageKeys('another key'), 0)).toBe(false);
  });
});
