import { describe, expect, it } from 'vitest';
import { DocumentNames } from '../bedrock-converse/encode-media.js';
import { measureGrowth } from '../testing/cpu-time.js';
import { CallIds } from './call-ids.js';

const LONG = 'x'.repeat(62);
const MOST = 64;

describe('ids of calls', () => {
  it('are written once each, and results find the latest', () => {
    const ids = new CallIds(MOST);
    expect(['a', 'a', 'a_2', 'a', 'b c'].map((id) => ids.add(id))).toEqual([
      'a',
      'a_2',
      'a_2_2',
      'a_3',
      'b_c',
    ]);
    expect([ids.find('a'), ids.find('unknown')]).toEqual(['a_3', 'unknown']);
  });

  it.each<[string, (at: number) => string]>([
    ['all the same', () => 'a'],
    ['long, and the same in pairs', (at) => `${LONG}${String(at >> 1).padStart(8, '0')}`.slice(-MOST)],
    ['those that others are given', (at) => (at % 2 === 0 ? 'a' : `a_${at}`)],
  ])('M5: cost each the same, however many there are: %s', (_, nameAt) => {
    const growth = measureGrowth(1_000, (amount) => {
      const ids = new CallIds(MOST);
      const written = Array.from({ length: amount }, (_each, at) => ids.add(nameAt(at)));
      expect(new Set(written).size).toBe(amount);
    });
    expect(growth).toBeLessThan(30);
  });
});

it('M5: names of documents cost each the same, however many there are', () => {
  const growth = measureGrowth(1_000, (amount) => {
    const names = new DocumentNames();
    for (let at = 0; at < amount; at++) names.add('report');
  });
  expect(growth).toBeLessThan(30);
});
