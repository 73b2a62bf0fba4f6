import { BODY_LIMITS, JsonScanner, type ProtocolName, SNAKE_NAMES } from '@mg/protocols';
import { buildAgentBody } from './agent-body.js';
import { percentile } from './statistics.js';

/** What it costs to refuse whatever two readers of JSON could understand differently, beside what is needed in any case. */
export interface ReadingTime {
  readonly protocol: ProtocolName;
  readonly bodyBytes: number;
  /** Of `JsonScanner`, in milliseconds. */
  readonly strictMs: number;
  /** Of `JSON.parse`, in milliseconds. */
  readonly parseMs: number;
}

const RUNS = 400;

/** Reads a coding agent's request again and again in this process. Of many runs the fastest tenth counts. */
export function measureReading(): ReadingTime[] {
  return (['openai-chat', 'anthropic-messages'] as const).map((protocol) => {
    const body = buildAgentBody(protocol);
    return {
      protocol,
      bodyBytes: body.length,
      strictMs: measure(() => readStrictly(body)),
      parseMs: measure(() => JSON.parse(body.toString('utf8'))),
    };
  });
}

function readStrictly(body: Buffer): void {
  const scanner = new JsonScanner(SNAKE_NAMES, BODY_LIMITS);
  scanner.push(body);
  scanner.end();
}

function measure(work: () => void): number {
  const runs = Array.from({ length: 2 * RUNS }, () => {
    const startMs = performance.now();
    work();
    return performance.now() - startMs;
  });
  return percentile(runs.slice(RUNS), 0.1);
}
