import { describe, expect, it } from 'vitest';
import { hasMediaUrls } from './has-media-urls.js';

const BY_URL = { type: 'image', source: { type: 'url', url: 'https://example.com/mill.png' } };
const BYTES = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
const asResult = (block: object) => ({ type: 'tool_result', tool_use_id: 'a', content: [block] });

describe('hasMediaUrls', () => {
  it.each([
    [[BY_URL], true],
    [[BYTES, { type: 'text', text: 'What is https://example.com?' }], false],
    [[asResult(BY_URL)], true],
    [[asResult(BYTES)], false],
    ['https://example.com/mill.png', false],
  ])('in %j: %s', (content, named) => {
    expect(hasMediaUrls({ messages: [{ role: 'user', content }] })).toBe(named);
  });
});
