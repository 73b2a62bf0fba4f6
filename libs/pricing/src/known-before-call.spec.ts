import { parsePrice, type PriceSheet } from '@mg/contract';
import { expect, it } from 'vitest';
import { isKnownBeforeCall } from './worst-case.js';

it.each<[PriceSheet, boolean]>([
  [{ per_million_characters: '15' }, true],
  [{ per_request: '0.01' }, true],
  [{ per_million_characters: '15', per_minute: '0.01' }, false],
  [{ input_per_million: '0.6', audio_output_per_million: '12' }, false],
  [{ per_image: '0.04' }, false],
])('what nothing of the answer is charged for is known beforehand: %j', (sheet, known) => {
  expect(isKnownBeforeCall(parsePrice(sheet))).toBe(known);
});
