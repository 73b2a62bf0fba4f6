import { describe, expect, it } from 'vitest';
import { GUIDE_NAMES, toBaseUrl, writeGuide } from './write-guide.js';

const connection = { url: 'http://127.0.0.1:8080', key: 'sk-the-key', model: 'org/model' };

it.each([
  ['OpenAI, Python', '/v1'],
  ['curl', '/v1'],
  ['Claude Code', ''],
  ['Google, Node', ''],
] as const)('%s has a base URL that ends with "%s"', (name, end) => {
  expect(toBaseUrl(name, connection.url)).toBe(connection.url + end);
});

describe.each(GUIDE_NAMES)('%s', (name) => {
  it('names the address, the key and the model, and leaves nothing to be filled in', () => {
    const text = writeGuide(name, connection);
    for (const value of Object.values(connection)) expect(text).toContain(value);
    expect(text).not.toContain('{{');
  });
});
