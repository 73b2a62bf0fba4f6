import { expect, it } from 'vitest';
import { splitName } from './split-name.js';

it.each([
  ['claude-sonnet-4-5', ['claude-', 'sonnet-', '4-', '5']],
  ['jo@mail.example.com', ['jo@', 'mail.', 'example.com']],
  // An amount or a port at the beginning of a line is read as a whole one.
  ['+$1,234,567.89', ['+$1,234,567.89']],
  ['http://127.0.0.1:8080,http://localhost:80', ['http://127.0.0.1:8080,', 'http://localhost:80']],
  // A figure is read with what it is of.
  ['status\u00a0401: no such key', ['status\u00a0401: ', 'no ', 'such ', 'key']],
])('%s breaks between its parts', (text, parts) => {
  expect(splitName(text)).toEqual(parts);
});
