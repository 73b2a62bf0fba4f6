import type { WalletPort } from '@mg/contract';
import { describe, expect, it, vi } from 'vitest';
import { HeldCalls } from './call/held-calls.js';
import { Heartbeat } from './keep-heartbeat.js';

const OWNER = { instance: 'gateway/a', epoch: 'e' };
const MINUTE = 60;

describe('calls in flight', () => {
  it('are due two minutes before their holds run out, the most urgent first, and not after their end', () => {
    const calls = new HeldCalls();
    const nowMs = performance.now();
    calls.begin('long', nowMs, 20 * MINUTE);
    calls.begin('later', nowMs, 1.5 * MINUTE);
    calls.begin('soon', nowMs, MINUTE);
    calls.begin('ended', nowMs, MINUTE);
    calls.end('ended');
    expect(calls.listDue(10)).toEqual(['soon', 'later']);
    expect(calls.listDue(1)).toEqual(['soon']);
    calls.noteRenewed(['soon', 'ended'], nowMs, 10 * MINUTE);
    expect(calls.listDue(10)).toEqual(['later']);
  });

  it('F6: are sent to billing with the heartbeat until their holds stand longer', async () => {
    const calls = new HeldCalls();
    calls.begin('long', performance.now(), 20 * MINUTE);
    calls.begin('due', performance.now(), MINUTE);
    const renewHolds = vi.fn<WalletPort['renewHolds']>(async () => ['due']);
    await beatOnce({ heartbeat: async () => undefined, renewHolds }, calls);
    expect(renewHolds.mock.calls).toEqual([[OWNER, ['due']]]);
    await beatOnce({ heartbeat: async () => undefined, renewHolds }, calls);
    expect(renewHolds).toHaveBeenCalledOnce();
  });

  it('F6: are asked for again when billing leaves them out or, of an earlier version, refuses the question', async () => {
    const calls = new HeldCalls();
    calls.begin('due', performance.now(), MINUTE);
    const renewHolds = vi
      .fn<WalletPort['renewHolds']>(async () => [])
      .mockRejectedValueOnce(new Error('unknown field'));
    for (const times of [1, 2, 3]) {
      const heartbeat = await beatOnce({ heartbeat: async () => undefined, renewHolds }, calls);
      expect(heartbeat.alive).toBe(true);
      expect(renewHolds).toHaveBeenCalledTimes(times);
    }
  });

  async function beatOnce(
    wallet: ConstructorParameters<typeof Heartbeat>[0],
    calls: HeldCalls,
  ): Promise<Heartbeat> {
    const heartbeat = new Heartbeat(wallet, OWNER, calls);
    heartbeat.start();
    await heartbeat.close();
    return heartbeat;
  }
});
