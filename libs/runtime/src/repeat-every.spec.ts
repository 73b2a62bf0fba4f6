import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { repeatEvery } from './repeat-every.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A task whose runs end when they are told to. */
function makeTask() {
  const ends: (() => void)[] = [];
  return {
    task: () => new Promise<void>((resolve) => ends.push(resolve)),
    get runs() {
      return ends.length;
    },
    async endRun() {
      ends.at(-1)?.();
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
    },
  };
}

const NEVER_MS = 1_000_000;

it('runs at once when it is woken in its pause', async () => {
  const task = makeTask();
  const repetition = repeatEvery(NEVER_MS, task.task, () => undefined);
  await task.endRun();
  expect(task.runs).toBe(1);
  repetition.wake();
  await vi.waitFor(() => expect(task.runs).toBe(2));
  await task.endRun();
  await repetition.close();
  expect(task.runs).toBe(2);
});

it('runs once more when it is woken during a run, however often', async () => {
  const task = makeTask();
  const repetition = repeatEvery(NEVER_MS, task.task, () => undefined);
  repetition.wake();
  repetition.wake();
  await task.endRun();
  await vi.waitFor(() => expect(task.runs).toBe(2));
  await task.endRun();
  expect(task.runs).toBe(2);
  await repetition.close();
});

it('waits for the run in progress when it is closed, and runs no more', async () => {
  const task = makeTask();
  const repetition = repeatEvery(0, task.task, () => undefined);
  repetition.wake();
  const closing = repetition.close();
  await task.endRun();
  await closing;
  expect(task.runs).toBe(1);
});
