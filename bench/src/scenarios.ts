import type { LoadDriver, LoadResult, TargetName } from './drive-load.js';

/** One kind of load, run against each target in turn. */
export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** What CPU is counted per. */
  readonly unit: 'request' | 'chunk';
  /** Model names that the gateway's configuration needs for it. */
  readonly models: readonly string[];
  /** Which targets are measured under it. */
  readonly targets: readonly TargetName[];
  run(driver: LoadDriver, model: string, whenOpen: () => void): Promise<LoadResult>;
}

export interface Pace {
  readonly windowMs: number;
  readonly manyStreams: number;
}

const COMPARED: readonly TargetName[] = ['direct', 'nginx', 'bare', 'gateway'];
const PROMPT = 'The quick brown fox jumps over the lazy dog, again and again. ';

/**
 * The loads of the benchmark; a shorter pace makes shorter windows. CPU is compared at the same offered load for every
 * target: a process that is asked twice as often shares its wake-ups and seems cheaper per request.
 */
export function buildScenarios({ windowMs, manyStreams }: Pace): Scenario[] {
  // As long as a common answer: what a call costs once must not pass for what a chunk costs.
  const fewChunks = Math.max(10, Math.round((windowMs * 2) / 20));
  const manyChunks = Math.max(10, Math.round((windowMs * 6) / 100));
  const few = `sse-${fewChunks}-20`;
  const many = `sse-${manyChunks}-100`;
  // A second long.
  const brief = 'sse-10-100';
  return [
    // First, in processes that nothing else has filled yet: its memory is measured.
    {
      name: 'sse1000',
      title: `${manyStreams} streams x 10 chunks/s`,
      unit: 'chunk',
      models: [many],
      targets: COMPARED,
      run: (driver, model, whenOpen) =>
        driver.runStreams(buildBody(model, 2_048, true), manyStreams, whenOpen),
    },
    {
      name: 'json2k',
      title: '2 KB JSON, 600 requests/s',
      unit: 'request',
      models: ['json'],
      targets: COMPARED,
      run: (driver, model) => driver.runOpenLoop(buildBody(model, 2_048, false), 600, windowMs),
    },
    {
      name: 'json50k',
      title: '50 KB JSON, 200 requests/s',
      unit: 'request',
      models: ['json'],
      targets: COMPARED,
      run: (driver, model) => driver.runOpenLoop(buildBody(model, 51_200, false), 200, windowMs),
    },
    {
      name: 'peak',
      title: '2 KB JSON, 32 callers without a pause',
      unit: 'request',
      models: ['json'],
      targets: COMPARED,
      run: (driver, model) => driver.runClosedLoop(buildBody(model, 2_048, false), 32, windowMs),
    },
    {
      name: 'open300',
      title: '2 KB JSON, 300 requests/s open loop',
      unit: 'request',
      models: ['json'],
      targets: COMPARED,
      run: (driver, model) => driver.runOpenLoop(buildBody(model, 2_048, false), 300, windowMs),
    },
    {
      name: 'opening',
      title: 'streams opened 100 a second, 100 of them open',
      unit: 'request',
      models: [brief],
      targets: COMPARED,
      run: (driver, model) => driver.runOpenLoop(buildBody(model, 2_048, true), 100, windowMs),
    },
    {
      name: 'sse100',
      title: '100 streams x 50 chunks/s',
      unit: 'chunk',
      models: [few],
      targets: [...COMPARED, 'to-messages', 'to-chat'],
      run: (driver, model, whenOpen) => driver.runStreams(buildBody(model, 2_048, true), 100, whenOpen),
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
