import { countCharges } from './check-ledger.js';
import { LoadDriver, type Target } from './drive-load.js';
import { readCpuUs, readRssMib } from './measure-process.js';
import { buildBody } from './scenarios.js';
import { startFleet } from './start-fleet.js';
import { median, percentile } from './statistics.js';

const BODY_BYTES = 2_048;
const CALLERS = 32;
const PEAK_MS = 10_000;
const WINDOW_MS = 30_000;
/** What is flat may be a tenth more in the last third than in the middle one. */
const MOST_GROWTH = 1.1;
/** The event loop's delay is sampled in steps of that. */
const LOOP_RESOLUTION_MS = 10;

/** What one window of the soak showed of the gateway. */
interface Reading {
  readonly rssMib: number;
  /** Slowest hundredth of the event loop's delays, in milliseconds. */
  readonly loopP99Ms: number;
  readonly cpuUsPerCall: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

/**
 * Keeps the gateway at half of the calls a second that it can answer, for so many minutes, and prints what it uses every
 * half a minute: memory and delays of its event loop are to be the same at the end as in the middle.
 *
 * @returns whether memory and delays stayed flat, every answered call is one charge and nothing failed.
 */
export async function measureSoak(minutes: number, print: (line: string) => void): Promise<boolean> {
  const fleet = await startFleet(['json']);
  try {
    const target = fleet.targets.find(({ name }) => name === 'gateway');
    if (!target) throw new Error('The fleet has no gateway.');
    const body = buildBody('bench-json', BODY_BYTES, false);
    const driver = new LoadDriver(target);
    const peak = await driver.runClosedLoop(body, CALLERS, PEAK_MS);
    const perSecond = Math.round((peak.requests * 1_000) / peak.elapsedMs / 2);
    print(`${perSecond} calls a second, half of what ${CALLERS} callers reach, for ${minutes} minutes`);
    print('  minute   RSS MiB  loop p99 ms  CPU us/call  p50 ms  p99 ms  failures');
    const readings: Reading[] = [];
    let answered = peak.requests;
    while (readings.length * WINDOW_MS < minutes * 60_000) {
      const cpuBeforeUs = readCpuUs(fleet.gatewayPid);
      const { requests, failures, latenciesMs } = await driver.runOpenLoop(body, perSecond, WINDOW_MS);
      answered += requests;
      const reading = {
        rssMib: readRssMib(fleet.gatewayPid),
        loopP99Ms: await readLoopP99Ms(target),
        cpuUsPerCall: (readCpuUs(fleet.gatewayPid) - cpuBeforeUs) / requests,
        p50Ms: percentile(latenciesMs, 0.5),
        p99Ms: percentile(latenciesMs, 0.99),
        failures,
      };
      readings.push(reading);
      print(formatReading((readings.length * WINDOW_MS) / 60_000, reading));
    }
    await driver.close();
    print(compareThirds(readings));
    const isFlat = staysFlat(readings);
    if (!isFlat) print('FAILED: memory or delays of the event loop grew from the middle third to the last.');
    const { charges, openHolds } = await countCharges(fleet.databaseUrl);
    print(`ledger: ${charges} charges for ${answered} answered requests, ${openHolds} holds open`);
    const isExact = charges === answered && openHolds === 0;
    return isFlat && isExact && readings.every(({ failures }) => failures === 0);
  } finally {
    await fleet.stop();
  }
}

/** Since it was read last, as prom-client counts it. */
async function readLoopP99Ms({ origin }: Target): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const match = /^nodejs_eventloop_lag_p99_seconds(?:\{[^}]*\})? (\S+)/m.exec(metrics);
  return Number(match?.[1]) * 1_000;
}

function formatReading(minute: number, reading: Reading): string {
  const { rssMib, loopP99Ms, cpuUsPerCall, p50Ms, p99Ms, failures } = reading;
  const columns = [
    minute.toFixed(1).padStart(8),
    rssMib.toFixed(0).padStart(10),
    loopP99Ms.toFixed(1).padStart(13),
    cpuUsPerCall.toFixed(0).padStart(13),
    p50Ms.toFixed(2).padStart(8),
    p99Ms.toFixed(1).padStart(8),
    String(failures).padStart(10),
  ];
  return columns.join('');
}

/** Medians of the middle third of a soak, and of its last. */
function readThirds(readings: readonly Reading[], read: (reading: Reading) => number): [number, number] {
  const third = Math.ceil(readings.length / 3);
  return [median(readings.slice(third, -third).map(read)), median(readings.slice(-third).map(read))];
}

function staysFlat(readings: readonly Reading[]): boolean {
  const [rss, lastRss] = readThirds(readings, ({ rssMib }) => rssMib);
  const [delay, lastDelay] = readThirds(readings, ({ loopP99Ms }) => loopP99Ms);
  // A soak of a minute has no thirds to compare.
  return !(lastRss > rss * MOST_GROWTH || lastDelay > delay * MOST_GROWTH + LOOP_RESOLUTION_MS);
}

function compareThirds(readings: readonly Reading[]): string {
  const compare = (read: (reading: Reading) => number) =>
    readThirds(readings, read)
      .map((value) => value.toFixed(1))
      .join(' -> ');
  return (
    `middle third -> last third: RSS ${compare(({ rssMib }) => rssMib)} MiB, ` +
    `loop p99 ${compare(({ loopP99Ms }) => loopP99Ms)} ms, ` +
    `CPU ${compare(({ cpuUsPerCall }) => cpuUsPerCall)} us a call`
  );
}
