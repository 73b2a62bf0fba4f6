import { readEnvironment } from '@mg/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Logger } from '../logger.js';
import { Registry } from '../metrics.js';
import type { MessageFromWorker, MessageToWorker } from './worker-messages.js';
import { WorkerPool } from './worker-pool.js';
import type { WorkerEnd, WorkerProcess } from './worker-process.js';
import { WorkerScrapes } from './worker-scrapes.js';

const logger = { error: () => undefined, fatal: () => undefined } as unknown as Logger;
const environment = readEnvironment({ DRAIN_TIMEOUT_SECONDS: '2' });

class FakeWorker implements WorkerProcess {
  readonly pid = undefined;
  readonly sent: MessageToWorker[] = [];
  readonly signals: string[] = [];
  receive: (message: MessageFromWorker) => void = () => undefined;
  end: (end: WorkerEnd) => void = () => undefined;

  constructor(private readonly onSignal: (worker: FakeWorker, signal: string) => void) {}

  send(message: MessageToWorker): void {
    if (message.type === 'read-metrics') this.receive({ type: 'metrics', id: message.id, metrics: [] });
    else this.sent.push(message);
  }

  kill(signal: 'SIGTERM' | 'SIGKILL'): void {
    this.signals.push(signal);
    this.onSignal(this, signal);
  }

  onMessage(listener: (message: MessageFromWorker) => void): void {
    this.receive = listener;
  }

  onEnd(listener: (end: WorkerEnd) => void): void {
    this.end = listener;
  }

  becomeReady(): void {
    this.receive({ type: 'loaded' });
    this.receive({ type: 'ready', address: 'http://127.0.0.1:8080' });
  }
}

const drained: WorkerEnd = { code: 0, signal: null };
const killed: WorkerEnd = { code: null, signal: 'SIGKILL' };
const crashed: WorkerEnd = { code: 7, signal: null };

/** What workers do when they are told to end. */
type OnSignal = (worker: FakeWorker, signal: string) => void;
const endAtOnce: OnSignal = (worker, signal) => worker.end(signal === 'SIGTERM' ? drained : killed);

function setUp(onSignal: OnSignal = endAtOnce) {
  const workers: FakeWorker[] = [];
  const scrapes = new WorkerScrapes(new Registry(), 2);
  const onGiveUp = vi.fn<() => void>();
  const pool = new WorkerPool({
    count: 2,
    environment,
    scrapes,
    logger,
    onGiveUp,
    fork: () => {
      const worker = new FakeWorker(onSignal);
      workers.push(worker);
      return worker;
    },
  });
  const start = async () => {
    const starting = pool.start();
    for (const worker of workers) worker.becomeReady();
    await starting;
  };
  const readFigures = async () => (await scrapes.write()).split('\n').filter((line) => /^\w+ /.test(line));
  return { pool, workers, start, onGiveUp, readFigures };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('workers', () => {
  it('start with their numbers, and together serve one address', async () => {
    const { pool, workers } = setUp();
    const starting = pool.start();
    for (const worker of workers) worker.becomeReady();
    expect(await starting).toBe('http://127.0.0.1:8080');
    expect(workers.map(({ sent }) => sent)).toMatchObject([
      [{ type: 'start', number: 1, of: 2 }],
      [{ type: 'start', number: 2, of: 2 }],
    ]);
    await pool.stop();
  });

  it('that end while they start end the start, and the others', async () => {
    const { pool, workers } = setUp();
    const starting = pool.start();
    workers[0]?.becomeReady();
    workers[1]?.end(crashed);
    await expect(starting).rejects.toThrow('Worker 2 ended with 7 before it was ready');
    await pool.stop();
    expect(workers[0]?.signals).toEqual(['SIGTERM']);
    expect(workers).toHaveLength(2);
  });

  it('are told to end when the start is to be undone', async () => {
    const { pool, workers } = setUp();
    const stop = new AbortController();
    const starting = pool.start(stop.signal);
    stop.abort(new Error('told to stop'));
    await expect(starting).rejects.toThrow('told to stop');
    await pool.stop();
    expect(workers.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM']]);
  });

  it('that end are replaced under their number, after a pause', async () => {
    const { pool, workers, start, readFigures } = setUp();
    await start();
    workers[1]?.end(killed);
    expect(workers).toHaveLength(2);
    expect(await readFigures()).toEqual([
      'gateway_workers 1',
      'gateway_workers_unresponsive 1',
      'gateway_workers_ended_total 1',
    ]);
    await vi.advanceTimersByTimeAsync(100);
    expect(workers).toHaveLength(3);
    workers[2]?.becomeReady();
    expect(workers[2]?.sent).toMatchObject([{ type: 'start', number: 2, of: 2 }]);
    expect(await readFigures()).toEqual([
      'gateway_workers 2',
      'gateway_workers_unresponsive 0',
      'gateway_workers_ended_total 1',
    ]);
    await pool.stop();
  });

  it('that end again and again are not replaced for ever: the process is told to end, with a failure', async () => {
    const { pool, workers, start, onGiveUp } = setUp();
    await start();
    for (let count = 0; count < 10; count++) {
      workers.at(-1)?.end(crashed);
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(workers).toHaveLength(11);
    expect(onGiveUp).toHaveBeenCalledTimes(1);
    await expect(pool.stop()).rejects.toThrow('workers end again and again');
  });

  it('that say nothing for a minute are killed, those that are alive are not', async () => {
    const { pool, workers, start } = setUp();
    await start();
    for (let second = 0; second < 70; second += 5) {
      workers[0]?.receive({ type: 'alive' });
      await vi.advanceTimersByTimeAsync(5_000);
    }
    expect(workers[0]?.signals).toEqual([]);
    expect(workers[1]?.signals).toEqual(['SIGKILL']);
    expect(workers).toHaveLength(3);
    await pool.stop();
  });

  it('that lose something at the end say so by the end of all', async () => {
    const { pool, start } = setUp((worker) => worker.end(crashed));
    await start();
    await expect(pool.stop()).rejects.toThrow('worker 1 ended with 7; worker 2 ended with 7');
  });

  it('that do not end in time are killed, which is a loss', async () => {
    const { pool, workers, start } = setUp((worker, signal) => {
      if (worker === workers[0] || signal === 'SIGKILL') endAtOnce(worker, signal);
    });
    await start();
    const stopping = Promise.allSettled([pool.stop()]);
    await vi.advanceTimersByTimeAsync(pool.stopsWithinMs);
    expect(await stopping).toMatchObject([{ reason: { message: 'worker 2 was ended by SIGKILL' } }]);
    expect(workers.map(({ signals }) => signals)).toEqual([['SIGTERM'], ['SIGTERM', 'SIGKILL']]);
  });

  it('are not replaced once all are told to end', async () => {
    const { pool, workers, start } = setUp();
    await start();
    workers[0]?.end(killed);
    await pool.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(workers).toHaveLength(2);
  });
});
