import { expect, it } from 'vitest';
import { readEventNumber } from './event-number.js';

it.each([
  ['data: {"type":"a","sequence_number":3}\n\ndata: {"sequence_number": 4,"type":"b"}\n\n', 4],
  ['data: {"sequence_number":7,"delta":"\\"sequence_number\\":9"}\n\n', 7],
  ['data: {"sequence_number":7,"name":"sequence_number"}\n\n', 7],
  ['"sequence_number"', undefined],
  [': a comment\n\n', undefined],
])('the number of the last event: %s', (sent, number) =>
  expect(readEventNumber(Buffer.from(sent))).toBe(number),
);
