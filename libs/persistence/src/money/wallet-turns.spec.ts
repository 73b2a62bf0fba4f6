import { expect, it } from 'vitest';
import { WalletTurns } from './wallet-turns.js';

it('F1: lets two statements at one wallet at once, the others in order, and holds up no other wallet', async () => {
  const turns = new WalletTurns();
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (walletId: string, name: string) =>
    turns.run(walletId, () => {
      began.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const first = ['a1', 'a2', 'a3', 'a4'].map((name) => begin('a', name));
  const other = begin('b', 'b1');
  expect(began).toEqual(['a1', 'a2', 'b1']);
  ends.get('a2')?.();
  await first[1];
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3']);
  for (const name of ['a1', 'a3', 'b1']) ends.get(name)?.();
  await Promise.all([first[0], first[2], other]);
  ends.get('a4')?.();
  await first[3];
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3', 'a4']);
});

it('F1: hands a turn on after a failure too', async () => {
  const turns = new WalletTurns();
  const fail = () => turns.run('a', () => Promise.reject(new Error('refused')));
  const results = await Promise.allSettled([fail(), fail(), turns.run('a', () => Promise.resolve(3))]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});
