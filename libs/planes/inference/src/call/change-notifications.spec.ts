import { expect, it } from 'vitest';
import { ChangeNotifications } from './change-notifications.js';

const LONG_MS = 60_000;

it('wake those who wait for a thing, and nobody else', async () => {
  const changes = new ChangeNotifications();
  const watches = [changes.watch('a'), changes.watch('a'), changes.watch('b')] as const;
  const woken: string[] = [];
  const waiting = watches.map((watch, at) => watch.waitForChange(LONG_MS).then(() => woken.push(`${at}`)));
  changes.notify('a');
  await Promise.all(waiting.slice(0, 2));
  expect(woken).toEqual(['0', '1']);
  changes.notifyAll();
  await Promise.all(waiting);
  for (const watch of watches) watch.stop();
});

it('are not missed by who looks away in between', async () => {
  const changes = new ChangeNotifications();
  const watch = changes.watch('a');
  changes.notify('a');
  await watch.waitForChange(LONG_MS);
  const startedMs = performance.now();
  await watch.waitForChange(20);
  expect(performance.now() - startedMs).toBeGreaterThan(10);
  watch.stop();
});
