import { readEnvironment } from '@mg/contract';
import { findFreePorts } from '@mg/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createLogger } from './logger.js';
import { StopRequested } from './running-plane.js';
import { StandBy } from './stand-by.js';

describe('a plane that stands by', () => {
  let port: number;
  let standBy: StandBy;
  let stop: AbortController;
  beforeEach(async () => {
    [port = 0] = await findFreePorts(1);
    stop = new AbortController();
    standBy = new StandBy({
      signal: stop.signal,
      plane: 'billing',
      portVariable: 'BILLING_PORT',
      environment: readEnvironment({ HOST: '127.0.0.1', BILLING_PORT: String(port) }),
      logger: createLogger({ plane: 'billing', level: 'silent' }),
    });
  });
  const ask = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: response.status, body: await response.json() };
  };
  afterEach(() => standBy.end());

  it('is alive and not ready, says why, and leaves its port', async () => {
    await standBy.report('There is no schema.');
    expect(await ask('/healthz')).toEqual({ status: 200, body: { status: 'ok' } });
    await standBy.report('There is half a schema.');
    expect(await ask('/readyz')).toEqual({
      status: 503,
      body: { status: 'unready', detail: 'There is half a schema.' },
    });
    await standBy.end();
    await expect(ask('/healthz')).rejects.toThrow(/fetch failed/);
    await standBy.report('Again.');
    expect((await ask('/readyz')).status).toBe(503);
  });

  it('waits no longer once the process is told to stop', async () => {
    await standBy.report('There is no schema.');
    stop.abort(new StopRequested());
    await expect(standBy.report('There is no schema.')).rejects.toBeInstanceOf(StopRequested);
  });
});
