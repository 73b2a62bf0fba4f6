import { describe, expect, it } from 'vitest';
import { Lifecycle, STOP_ORDER, type StopPhase } from './lifecycle.js';
import type { Logger } from './logger.js';
import { StopRequested } from './running-plane.js';
import { startPlane } from './start-plane.js';

const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger;

function setUp() {
  const closed: string[] = [];
  const part = (name: string) => ({ close: () => void closed.push(name) });
  return { closed, part, life: new Lifecycle('billing', STOP_ORDER, logger) };
}

describe('the life of a plane', () => {
  it('is shown by readiness: it starts, is ready, drains', async () => {
    const { life } = setUp();
    expect(life.obstacle).toBe('The billing plane is starting.');
    life.markReady();
    expect(life.obstacle).toBeUndefined();
    const stopped = life.stop();
    expect(life.obstacle).toBe('The billing plane is draining.');
    await stopped;
  });

  it('ends phase by phase, whatever was opened first, and once', async () => {
    const { life, closed, part } = setUp();
    const phases: StopPhase[] = ['database', 'writers', 'health', 'intake', 'clients', 'background'];
    for (const phase of phases) life.own(phase, phase, part(phase));
    await Promise.all([life.stop(), life.stop()]);
    expect(closed).toEqual([...STOP_ORDER]);
  });

  it('ends with an error when something is lost, after everything is closed', async () => {
    const { life, closed, part } = setUp();
    life.onStop('writers', {
      name: 'usage',
      required: true,
      close: () => Promise.reject(new Error('2 rows')),
    });
    life.own('database', 'database', part('database'));
    await expect(life.stop()).rejects.toThrow('The billing plane stopped with a loss: usage: 2 rows.');
    expect(closed).toEqual(['database']);
  });
});

describe('the start of a plane', () => {
  const options = (signal?: AbortSignal) =>
    ({ environment: {}, logger, signal }) as unknown as Parameters<typeof startPlane>[1];

  it('that fails closes what was opened', async () => {
    const { closed, part } = setUp();
    const starting = startPlane('billing', options(), async (life) => {
      life.own('database', 'database', part('database'));
      throw new Error('Redis cannot be reached.');
    });
    await expect(starting).rejects.toThrow('Redis cannot be reached.');
    expect(closed).toEqual(['database']);
  });

  it('that is told to stop meanwhile closes what was opened', async () => {
    const { closed, part } = setUp();
    const stop = new AbortController();
    const starting = startPlane('billing', options(stop.signal), async (life) => {
      life.own('database', 'database', part('database'));
      stop.abort(new StopRequested());
      return 'http://127.0.0.1:1';
    });
    await expect(starting).rejects.toBeInstanceOf(StopRequested);
    expect(closed).toEqual(['database']);
  });
});
