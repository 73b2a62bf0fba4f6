import { describe, expect, it } from 'vitest';
import { findByAffinity } from './rendezvous.js';

const MEMBERS = [
  { name: 'a', weight: 3 },
  { name: 'b', weight: 1 },
  { name: 'c', weight: 1 },
  { name: 'never', weight: 0 },
];
const KEYS = Array.from({ length: 5_000 }, (_, index) => `wallet-${index % 7} prefix-${index}`);

function find(key: string, members = MEMBERS): string | undefined {
  return findByAffinity(key, members, { nameOf: ({ name }) => name, weightOf: ({ weight }) => weight })?.name;
}

describe('findByAffinity', () => {
  it('gives each member its share of the keys', () => {
    const found = KEYS.map((key) => find(key));
    const share = (name: string) => found.filter((one) => one === name).length / KEYS.length;
    expect(share('a')).toBeCloseTo(0.6, 1);
    expect(share('b')).toBeCloseTo(0.2, 1);
    expect(share('c')).toBeCloseTo(0.2, 1);
    expect(share('never')).toBe(0);
  });

  it('moves only the keys of a member that goes', () => {
    const without = MEMBERS.filter(({ name }) => name !== 'b');
    const moved = KEYS.filter((key) => find(key) !== find(key, without));
    expect(moved.every((key) => find(key) === 'b')).toBe(true);
  });

  it('finds a member without weight where there is no other, and none among none', () => {
    expect(find('k', [{ name: 'never', weight: 0 }])).toBe('never');
    expect(find('k', [])).toBeUndefined();
  });
});
