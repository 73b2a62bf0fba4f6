import { expect, it, vi } from 'vitest';
import { ANSWER_SHAPE, JsonShape } from '../framing/json-shape.js';
import { parseLargeData } from '../framing/read-large-events.js';
import { parseLongServerMessage } from '../realtime/parse-server-message.js';
import { JsonScanner } from './json-scanner.js';
import { scanInSlices } from './scan-in-slices.js';

type Pause = () => Promise<void>;

it.each<
  [string, { push(chunk: Buffer): unknown }, number, (bytes: Buffer, pause: Pause) => Promise<unknown>]
>([
  ['a text', JsonShape.prototype, 64, (bytes, pause) => scanInSlices(bytes, ANSWER_SHAPE, pause)],
  ['an event of a stream', JsonShape.prototype, 64, parseLargeData],
  ['a message of an upstream', JsonScanner.prototype, 32, parseLongServerMessage],
])('M5: %s of nothing but numbers is scanned a little at a time', async (_, scanner, kilobytes, scan) => {
  const bytes = Buffer.from(`{"a":[${'1,'.repeat(500_000)}1]}`);
  const scanned = vi.spyOn(scanner, 'push');
  let pauses = 0;
  await scan(bytes, async () => void pauses++);
  const lengths = scanned.mock.calls.map(([chunk]) => chunk.length);
  scanned.mockRestore();
  expect(lengths[0]).toBe(kilobytes * 1024);
  expect(Math.max(...lengths)).toBe(kilobytes * 1024);
  expect(pauses).toBeGreaterThanOrEqual(lengths.length - 1);
});
