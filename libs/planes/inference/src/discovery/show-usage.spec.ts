import type { CallerToken, GatewayError } from '@mg/contract';
import type { CallerAccount } from '@mg/persistence/gateway';
import { describe, expect, it } from 'vitest';
import { showBillingUsage, showUsage } from './show-usage.js';

const caller = {} as CallerToken;
/** Postgres is never asked. */
const account = {} as CallerAccount;

describe('M3: moments that no calendar of Postgres has', () => {
  const moments = ['-271000-01-01', '+271000-01-01', '+010000-01-01T00:00:00Z', '1969-12-31', 'x', '\0'];

  it.each(moments)('%j is a 400 that names the field', async (text) => {
    const ask = async (answer: Promise<unknown>) =>
      answer.then(
        () => undefined,
        (error: GatewayError) => [error.status, error.param],
      );
    expect(await ask(showUsage(caller, { from: text }, account))).toEqual([400, 'from']);
    expect(await ask(showUsage(caller, { to: text }, account))).toEqual([400, 'to']);
    expect(await ask(showBillingUsage(caller, { start_date: text }, account))).toEqual([400, 'start_date']);
    expect(await ask(showBillingUsage(caller, { end_date: text }, account))).toEqual([400, 'end_date']);
  });
});
