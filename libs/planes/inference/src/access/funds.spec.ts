import type { CallerToken } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { Funds } from './funds.js';

const caller = { id: 't' } as CallerToken;

function withBalance(balance: bigint | undefined) {
  let asked = 0;
  const funds = new Funds(async () => {
    asked++;
    return balance === undefined
      ? undefined
      : { balance, held: 0n, creditLimit: 0n, quota: undefined, used: 0n };
  });
  return { funds, asked: () => asked };
}

describe('C1: a count of tokens wants a wallet that holds something', () => {
  it('lets a funded wallet pass, and asks for its balance once', async () => {
    const { funds, asked } = withBalance(1n);
    await Promise.all(Array.from({ length: 10 }, () => funds.need(caller)));
    expect(asked()).toBe(1);
  });

  it.each([0n, -5n, undefined])('refuses a wallet that holds %s', async (balance) => {
    await expect(withBalance(balance).funds.need(caller)).rejects.toMatchObject({
      code: 'insufficient_balance',
    });
  });

  it('says so when the wallet cannot be read, and asks again the next time', async () => {
    let isAway = true;
    const funds = new Funds(async () => {
      if (isAway) throw new Error('away');
      return { balance: 1n, held: 0n, creditLimit: 0n, quota: undefined, used: 0n };
    });
    await expect(funds.need(caller)).rejects.toMatchObject({ code: 'service_unavailable' });
    isAway = false;
    await funds.need(caller);
  });
});
