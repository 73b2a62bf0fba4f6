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
 * @returns whether every answered call is one charge and nothing failed.
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
    const { charges, openHolds } = await countCharges(fleet.databaseUrl);
    print(`ledger: ${charges} charges for ${answered} answered requests, ${openHolds} holds open`);
    return charges === answered && openHolds === 0 && readings.every(({ failures }) => failures === 0);
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

function compareThirds(readings: readonly Reading[]): string {
  const third = Math.ceil(readings.length / 3);
  const middle = readings.slice(third, -third);
  const last = readings.slice(-third);
  const compare = (read: (reading: Reading) => number) =>
    `${median(middle.map(read)).toFixed(1)} -> ${median(last.map(read)).toFixed(1)}`;
  return (
    `middle third -> last third: RSS ${compare(({ rssMib }) => rssMib)} MiB, ` +
    `loop p99 ${compare(({ loopP99Ms }) => loopP99Ms)} ms, ` +
    `CPU ${compare(({ cpuUsPerCall }) => cpuUsPerCall)} us a call`
  );
}
