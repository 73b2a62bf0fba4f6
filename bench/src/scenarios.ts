import type { LoadDriver, LoadResult, TargetName } from './drive-load.js';

/** One kind of load, run against each target in turn. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** What CPU is counted per. */
  readonly unit: 'request' | 'chunk';
  /** Model names that the gateway's configuration needs for it. */
  readonly models: readonly string[];
  /** Chunks of a stream that say when the upstream sent them: all but the first. */
  readonly stampedChunks?: number;
  /** How many times as many windows of it are measured as of others; 1 by default. */
  readonly windows?: number;
  /** Which targets are measured under it. */
  readonly targets: readonly TargetName[];
  run(driver: LoadDriver, model: string, whenOpen: () => void): Promise<LoadResult>;
}

export interface Pace {
  readonly windowMs: number;
  readonly manyStreams: number;
  /** What part of the calls and streams of a load there are; all by default. */
  readonly share?: number;
}

const COMPARED: readonly TargetName[] = ['direct', 'nginx', 'bare', 'gateway'];
const PROMPT = 'The quick brown fox jumps over the lazy dog, again and again. ';

/**
 * The loads of the benchmark; a shorter pace makes shorter windows. CPU is compared at the same offered load for every
 * target: a process that is asked twice as often shares its wake-ups and seems cheaper per request.
 */
export function buildScenarios(pace: Pace): Scenario[] {
  // First, in processes that nothing else has filled yet: its memory is measured.
  return [describeManyStreams(pace), ...describeCalls(pace), describeFewStreams(pace)];
}

function describeManyStreams({ windowMs, manyStreams, share = 1 }: Pace): Scenario {
  // Far longer than a machine with two cores takes to open all of them: what is counted is the time in which all run.
  const chunks = Math.max(10, Math.round((windowMs * 12) / 100));
  const streams = Math.round(manyStreams * share);
  return {
    name: 'sse1000',
    title: `${manyStreams} streams x 10 chunks/s`,
    unit: 'chunk',
    models: [`sse-${chunks}-100`],
    stampedChunks: chunks - 1,
    windows: 2,
    targets: COMPARED,
    run: (driver, model, whenOpen) => driver.runStreams(buildBody(model, 2_048, true), streams, whenOpen),
  };
}

function describeFewStreams({ windowMs, share = 1 }: Pace): Scenario {
  // As long as a common answer: what a call costs once must not pass for what a chunk costs.
  const chunks = Math.max(10, Math.round((windowMs * 2) / 20));
  const streams = Math.round(100 * share);
  return {
    name: 'sse100',
    title: '100 streams x 50 chunks/s',
    unit: 'chunk',
    models: [`sse-${chunks}-20`],
    stampedChunks: chunks - 1,
    targets: [...COMPARED, 'to-messages', 'to-chat'],
    run: (driver, model, whenOpen) => driver.runStreams(buildBody(model, 2_048, true), streams, whenOpen),
  };
}

function describeCalls({ windowMs, share = 1 }: Pace): Scenario[] {
  const calls = { unit: 'request', targets: COMPARED } as const;
  const whole = { ...calls, models: ['json'] };
  const atRate =
    (perSecond: number, bytes: number, stream: boolean): Scenario['run'] =>
    (driver, model) =>
      driver.runOpenLoop(buildBody(model, bytes, stream), Math.round(perSecond * share), windowMs);
  return [
    {
      ...whole,
      name: 'json2k',
      title: '2 KB JSON, 600 requests/s',
      windows: 3,
      run: atRate(600, 2_048, false),
    },
    { ...whole, name: 'json50k', title: '50 KB JSON, 200 requests/s', run: atRate(200, 51_200, false) },
    {
      ...whole,
      name: 'peak',
      title: '2 KB JSON, 32 callers without a pause',
      run: (driver, model) =>
        driver.runClosedLoop(buildBody(model, 2_048, false), Math.round(32 * share), windowMs),
    },
    {
      ...whole,
      name: 'open300',
      title: '2 KB JSON, 300 requests/s open loop',
      run: atRate(300, 2_048, false),
    },
    {
      ...calls,
      name: 'opening',
      title: 'streams opened 100 a second, 100 of them open',
      // A second long.
      models: ['sse-10-100'],
      run: atRate(100, 2_048, true),
    },
  ];
}

/** A chat of one message, so many bytes long in all. */
export function buildBody(model: string, bytes: number, stream: boolean): Buffer {
  const shell = { model, stream, max_tokens: 500, messages: [{ role: 'user', content: '' }] };
  const room = bytes - JSON.stringify(shell).length;
  const content = PROMPT.repeat(Math.ceil(room / PROMPT.length)).slice(0, Math.max(0, room));
  return Buffer.from(JSON.stringify({ ...shell, messages: [{ role: 'user', content }] }));
}
