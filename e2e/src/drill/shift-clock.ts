/**
 * Loaded into a plane before anything else (`--import`): its clock is wrong by as many milliseconds as the file that
 * `CLOCK_OFFSET_FILE` names says, which may change at any time. Timers and `performance.now()` go on as they are, as they
 * do when a machine's clock is set.
 */
import { readFileSync } from 'node:fs';

const READ_EVERY_MS = 100;

const file = process.env['CLOCK_OFFSET_FILE'] ?? '';
const RealDate = Date;
let offsetMs = 0;

function readOffset(): void {
  offsetMs = Number(readFileSync(file, 'utf8'));
}

function nowMs(): number {
  return RealDate.now() + offsetMs;
}

readOffset();
setInterval(readOffset, READ_EVERY_MS).unref();
globalThis.Date = new Proxy(RealDate, {
  construct: (target, values: unknown[], created) =>
    Reflect.construct(target, values.length === 0 ? [nowMs()] : values, created) as Date,
  apply: () => new RealDate(nowMs()).toString(),
  get: (target, name, receiver): unknown => (name === 'now' ? nowMs : Reflect.get(target, name, receiver)),
});
