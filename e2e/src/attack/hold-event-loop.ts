import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { KEYS, SECRETS } from '../deployment/credentials.js';
import { request } from '../clients/gateway-client.js';
import type { Attack, AttackTarget } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';

const MEBIBYTE = 1024 * 1024;
const AT_ONCE = 8;
/** The largest leaves room for what stands around the filling: 20 MB is the most that is read. */
const SIZES = { short: [1], full: [1, 10, 19.9] };
/** What `/healthz` may take at most. Short, the attack runs beside other tests and only tells seconds from milliseconds. */
const LONGEST_MS = { short: 1_000, full: 50 };
/** Memory comes back within this share of what was held at once; the garbage collector needs a moment. */
const GROWTH = 1.2;
const ANSWERED_WITHIN_MS = 60_000;

type MakeBody = (bytes: number) => string;

const repeat = (text: string, bytes: number) => text.repeat(Math.ceil(bytes / Buffer.byteLength(text)));
const chat = (content: string) =>
  `{"model":"plain","max_tokens":16,"messages":[{"role":"user","content":${content}}]}`;
const fill =
  (text: string): MakeBody =>
  (bytes) =>
    chat(`"${repeat(text, bytes)}"`);

const BODIES: Readonly<Record<string, MakeBody>> = {
  'one letter': fill('a'),
  spaces: fill(' '),
  Chinese: fill('漢'),
  emoji: fill('😀'),
  escapes: fill('\\n'),
  deep: (bytes) => chat('['.repeat(bytes)),
  'deep and closed': (bytes) => chat('['.repeat(bytes / 2) + ']'.repeat(bytes / 2)),
  numbers: (bytes) => chat(`[${repeat('1,', bytes)}1]`),
  names: (bytes) => chat(`{${Array.from({ length: bytes / 10 }, (_, n) => `"k${n}":1`).join()}}`),
  'a long number': (bytes) => chat('1'.repeat(bytes)),
  'long names': (bytes) =>
    chat(`{${Array.from({ length: bytes / 400 }, (_, n) => `"${n}${'k'.repeat(380)}":1`).join()}}`),
  comments: (bytes) => `{${repeat('/* a comment */\n', bytes)}"model":"plain"}`,
  'short strings': (bytes) => chat(`[${repeat('"a",', bytes)}""]`),
};

/** In their own protocol and converted; whatever an endpoint does not know of such a body, it refuses. */
const PATHS = [
  '/v1/chat/completions',
  '/v1/messages',
  '/v1/messages/count_tokens',
  '/v1/responses',
  '/v1beta/models/plain:countTokens',
  '/v1/embeddings',
  '/v1/images/generations',
];

export const holdEventLoop: Attack = {
  threats: ['T25'],
  title: 'no body holds the event loop, whatever it is made of',
  timeoutMs: { short: 120_000, full: 1_800_000 },
  async run(target) {
    const { deployment, full } = target;
    const worker = new Worker(new URL('./ask-health.ts', import.meta.url), {
      workerData: { url: `${deployment.gatewayUrl}/healthz` },
    });
    try {
      const before = await readResidentBytes(target);
      await readDelays(worker);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
      const idle = await readDelays(worker);
      target.say(`idle: ${describe(idle)}`);
      const longest: number[] = [];
      for (const size of full ? SIZES.full : SIZES.short) {
        for (const [name, makeBody] of Object.entries(BODIES)) {
          await attack(makeBody(size * MEBIBYTE), target);
          const delays = await readDelays(worker);
          target.say(`${size} MB of ${name}: ${describe(delays)}`);
          longest.push(Math.max(...delays));
        }
      }
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      const after = await readResidentBytes(target);
      target.say(`memory: ${toMegabytes(before)} MB before, ${toMegabytes(after)} MB after`);
      expect(Math.max(...longest)).toBeLessThan(
        (full ? LONGEST_MS.full : LONGEST_MS.short) + Math.max(...idle),
      );
      if (full) expect(after).toBeLessThan(Math.max(before * GROWTH, before + 100 * MEBIBYTE));
    } finally {
      await worker.terminate();
    }
  },
};

/** Sends a body to every endpoint, eight at a time. Refusals are answers too; nothing may be a failure of the gateway. */
async function attack(body: string, { deployment, full }: AttackTarget): Promise<void> {
  const bytes = Buffer.from(body);
  const paths = PATHS.flatMap((path) => Array.from({ length: full ? 2 : 1 }, () => path));
  await forEachAtOnce(paths, AT_ONCE, async (path) => {
    const answer = await request(deployment, path, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEYS.main}`, 'content-type': 'application/json' },
      body: bytes,
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    }).catch((error: unknown) => {
      // A body that is refused before its end is not read to its end: the connection may break.
      if (error instanceof TypeError) return { status: 400 };
      throw error;
    });
    expect([200, 400, 402, 404, 413, 429, 503], `${path} was answered with ${answer.status}`).toContain(
      answer.status,
    );
  });
}

async function readDelays(worker: Worker): Promise<number[]> {
  const answered = once(worker, 'message');
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage('read');
  return ((await answered) as [number[]])[0];
}

function describe(delays: readonly number[]): string {
  const sorted = delays.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `/healthz p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`;
}

async function readResidentBytes({ deployment }: AttackTarget): Promise<number> {
  const { text } = await request(deployment, '/metrics', {
    headers: { authorization: `Bearer ${SECRETS.metrics}` },
  });
  return Number(/^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)/m.exec(text)?.[1] ?? Number.NaN);
}

function toMegabytes(bytes: number): number {
  return Math.round(bytes / MEBIBYTE);
}
