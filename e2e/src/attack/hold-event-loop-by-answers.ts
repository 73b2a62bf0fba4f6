import { randomUUID } from 'node:crypto';
import { omitUndefined } from '@mg/contract';
import { expect } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { request } from '../clients/gateway-client.js';
import { HELLO } from '../clients/openai-client.js';
import { TOKEN_PRICE } from '../deployment/configuration.js';
import { KEYS } from '../deployment/credentials.js';
import { waitUntil } from '../wait-until.js';
import type { Attack, AttackTarget } from './attack.js';
import { forEachAtOnce } from './for-each-at-once.js';
import { ANSWER_KINDS, type AnswerKind, LAST_WORD } from './hostile-answers.js';
import { startHostileProvider } from './hostile-provider.js';
import { watchHealth } from './watch-health.js';

const MEBIBYTE = 1024 * 1024;
/** Calls at a time; streams are left by more. */
const AT_ONCE = { short: 2, full: 8 };
const LEFT_AT_ONCE = { short: 8, full: 60 };
/** An answer may have 32 MB, an event of a stream 8 MB. */
const SIZES = { short: [0.6], full: { whole: [10, 30], stream: [7.9, 30], 'stream that is left': [0.2, 1] } };
/** The text of a stream that was left is counted within this time, or estimated. */
const COUNTED_WITHIN_MS = 1_000;
const ANSWERED_WITHIN_MS = 60_000;
const OK = 200;
/** Refused as no answer of a provider, or for the memory it needs; the channel may rest before the last call is sent. */
const REFUSED = [429, 502, 503];

/** Is created last: a gateway that knows it knows the channel of the others too. */
const LAST_MODEL = 'hostile-last';

/** The channel speaks the protocol of the first; answers to the second are converted. */
const PATHS = ['/v1/chat/completions', '/v1/messages'];

interface Step {
  readonly slug: string;
  readonly kind: AnswerKind;
  readonly size: number;
}

export const holdEventLoopByAnswers: Attack = {
  threats: ['T25'],
  title: 'no answer of a provider and no stream that is left holds the event loop',
  timeoutMs: { short: 120_000, full: 1_800_000 },
  async run(target) {
    const steps = listSteps(target.full);
    const provider = await startHostileProvider();
    const console = await ConsoleClient.asAdmin(target.deployment);
    const channel = await createModels(console, provider.url, steps);
    try {
      await waitUntil('the models', () => isServed(target));
      await watchHealth(target, async (runStep) => {
        for (const step of steps) {
          const { kind, size } = step;
          const isStream = kind.form !== 'whole';
          provider.answerWith({
            contentType: isStream ? 'text/event-stream' : 'application/json',
            body: Buffer.from(kind.make(size * MEBIBYTE)),
            staysOpen: kind.form === 'stream that is left',
          });
          await runStep(`${size} MB, ${kind.form}: ${kind.name}`, () => attack(step, target));
        }
      });
    } finally {
      await console.demand('DELETE', `/channels/${channel}`);
      await provider.close();
    }
  },
};

function listSteps(full: boolean): readonly Step[] {
  const kinds = ANSWER_KINDS.filter(({ fullSizeOnly }) => full || !fullSizeOnly);
  return kinds.flatMap((kind, index) =>
    (full ? SIZES.full[kind.form] : SIZES.short)
      .filter((size) => size <= (kind.upTo ?? size))
      .map((size) => ({ slug: `hostile-${index}-${size}`, kind, size })),
  );
}

/** @returns the id of the channel that serves all models. */
async function createModels(console: ConsoleClient, url: string, steps: readonly Step[]): Promise<string> {
  await forEachAtOnce(steps, AT_ONCE.full, ({ slug }) =>
    console.demand('POST', '/models', { slug, kind: 'chat', price: TOKEN_PRICE }),
  );
  const { id } = await console.demand<{ id: string }>('POST', '/channels', {
    name: 'hostile',
    type: 'openai-compatible',
    base_url: `${url}/v1`,
    api_key: 'sk-hostile',
    models: Object.fromEntries(steps.map(({ slug }) => [slug, slug])),
  });
  await console.demand('POST', '/models', { slug: LAST_MODEL, kind: 'chat', price: TOKEN_PRICE });
  return id;
}

async function isServed({ deployment }: AttackTarget): Promise<boolean> {
  const headers = { authorization: `Bearer ${KEYS.main}` };
  const { text } = await request(deployment, '/v1/models', { headers });
  return text.includes(`"${LAST_MODEL}"`);
}

/** Calls the model from both protocols at once. */
async function attack({ slug, kind }: Step, { deployment, full }: AttackTarget): Promise<void> {
  const isLeft = kind.form === 'stream that is left';
  const atOnce = (isLeft ? LEFT_AT_ONCE : AT_ONCE)[full ? 'full' : 'short'];
  const paths = Array.from({ length: atOnce }, (_, call) => PATHS[call % PATHS.length] ?? '');
  const body = JSON.stringify({
    model: slug,
    max_tokens: 16,
    messages: HELLO,
    stream: kind.form !== 'whole',
  });
  await forEachAtOnce(paths, atOnce, async (path) => {
    const call = { path, slug, body, isLeft };
    if (kind.form !== 'whole') return ask(call, deployment.gatewayUrl);
    // An answer is kept for its key, and given again.
    const key = randomUUID();
    await ask(call, deployment.gatewayUrl, key);
    await ask(call, deployment.gatewayUrl, key);
  });
  if (isLeft) await new Promise((resolve) => setTimeout(resolve, COUNTED_WITHIN_MS));
}

async function ask(
  {
    path,
    slug,
    body,
    isLeft,
  }: { readonly path: string; readonly slug: string; readonly body: string; readonly isLeft: boolean },
  gatewayUrl: string,
  key?: string,
): Promise<void> {
  const controller = new AbortController();
  const response = await fetch(`${gatewayUrl}${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${KEYS.main}`,
      'content-type': 'application/json',
      ...omitUndefined({ 'idempotency-key': key }),
    },
    body,
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(ANSWERED_WITHIN_MS)]),
  });
  expect(isLeft ? [OK] : [OK, ...REFUSED], `${path} answered ${slug}`).toContain(response.status);
  if (isLeft) await readUntil(LAST_WORD, response);
  else await response.arrayBuffer();
  controller.abort();
}

/** @throws Error when the answer ends before the word has come. */
async function readUntil(word: string, { body }: Response): Promise<void> {
  let tail = '';
  const decoder = new TextDecoder();
  for await (const chunk of body ?? []) {
    tail += decoder.decode(chunk as Uint8Array, { stream: true });
    if (tail.includes(word)) return;
    tail = tail.slice(-word.length);
  }
  throw new Error('the stream ended early');
}
