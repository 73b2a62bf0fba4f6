import { expect, it } from 'vitest';
import { WalletTurns } from './wallet-turns.js';

const LATER = performance.now() + 3_600_000;

it('F1: lets two statements at one wallet at once, the others in order, and holds up no other wallet', async () => {
  const turns = new WalletTurns();
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const begin = (walletId: string, name: string) =>
    turns.run(
      walletId,
      () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      LATER,
    );
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
  const fail = () => turns.run('a', () => Promise.reject(new Error('refused')), LATER);
  const results = await Promise.allSettled([fail(), fail(), turns.run('a', () => Promise.resolve(3), LATER)]);
  expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

it('F1: nobody waits longer than may be, runs nothing after that, and takes no turn of those behind', async () => {
  const turns = new WalletTurns();
  const began: string[] = [];
  const holding = Promise.withResolvers<void>();
  const run = (name: string, untilMs: number, work: Promise<void>) => {
    const statement = async () => {
      began.push(name);
      await work;
      return name;
    };
    return turns.run('a', statement, untilMs);
  };
  const running = ['a1', 'a2'].map((name) => run(name, LATER, holding.promise));
  const hasty = run('hasty', performance.now() + 1, Promise.resolve());
  const patient = run('patient', performance.now() + 60_000, Promise.resolve());
  expect(await hasty).toBeUndefined();
  holding.resolve();
  expect(await Promise.all([...running, patient])).toEqual(['a1', 'a2', 'patient']);
  expect(began).toEqual(['a1', 'a2', 'patient']);
});
