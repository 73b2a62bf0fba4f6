import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Catalog, parsePrice } from '@mg/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeChannel, startSmallGateway } from '../testing/small-gateway.js';

const WITHIN = { timeout: 30_000 };
const CONVERSATIONS = 12;
const TURNS = 5;
const KEYS = ['sk-provider-one', 'sk-provider-two', 'sk-provider-three'];
/** Tokens of a turn, by the provider's count. */
const TURN_TOKENS = 100;

interface Turn {
  readonly role: string;
  readonly content: string;
}

/** A provider whose keys have caches of their own: what a key has read before is cached. */
let provider: Server;
const caches = new Map<string, Set<string>>();
beforeAll(async () => {
  provider = createServer((request, response) => void answerTurns(request, response)).listen(0, '127.0.0.1');
  await once(provider, 'listening');
});
afterAll(() => {
  provider.closeAllConnections();
  provider.close();
});

async function answerTurns(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const turns = await readTurns(request);
  const reader = String(request.headers.authorization) + request.url;
  const cache = caches.get(reader) ?? new Set();
  caches.set(reader, cache);
  const prefixes = turns.map((_, index) => JSON.stringify(turns.slice(0, index + 1)));
  const cached = prefixes.filter((prefix) => cache.has(prefix)).length * TURN_TOKENS;
  for (const prefix of prefixes) cache.add(prefix);
  const usage = {
    prompt_tokens: turns.length * TURN_TOKENS,
    completion_tokens: 1,
    prompt_tokens_details: { cached_tokens: cached },
  };
  const message = { role: 'assistant', content: `answer ${turns.length}` };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: 'r', object: 'chat.completion', choices, usage }));
}

async function readTurns(request: IncomingMessage): Promise<Turn[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return (JSON.parse(Buffer.concat(chunks).toString()) as { messages: Turn[] }).messages;
}

/** Share of the input tokens that were cached, over many conversations that go on side by side. */
async function measureShare(sticky: boolean): Promise<number> {
  caches.clear();
  const price = parsePrice({ input_per_million: '1', output_per_million: '1' });
  const model = {
    slug: 'm',
    kind: 'chat',
    createdAt: 0,
    sticky,
    prices: [{ versionId: 'p', effectiveFrom: 0, price }],
  };
  const models = new Map([['m', model]]) as unknown as Catalog['models'];
  const { port } = provider.address() as AddressInfo;
  const channels = ['a', 'b'].map((name) =>
    makeChannel(name, { baseUrl: `http://127.0.0.1:${port}/${name}/v1`, apiKeys: KEYS }),
  );
  const gateway = await startSmallGateway('sticky', {
    catalog: () => ({ version: 1, models, channelsBySlug: new Map([['m', channels]]) }),
  });
  try {
    const conversations = Array.from({ length: CONVERSATIONS }, (_, index): Turn[] => [
      { role: 'system', content: 'You are a helpful assistant.' },
      { role: 'user', content: `Question ${index}` },
    ]);
    for (let turn = 0; turn < TURNS; turn++) {
      for (const messages of conversations) {
        const answer = await gateway.post('/v1/chat/completions', { model: 'm', messages });
        const { choices } = (await answer.json()) as { choices: { message: Turn }[] };
        messages.push(choices[0]?.message ?? { role: 'assistant', content: '' }, {
          role: 'user',
          content: 'More.',
        });
      }
    }
    await expect.poll(() => gateway.log.length, WITHIN).toBe(CONVERSATIONS * TURNS);
    const sum = (read: (usage: (typeof gateway.log)[number]['usage']) => number) =>
      gateway.log.reduce((total, { usage }) => total + read(usage), 0);
    return sum((usage) => usage.cachedInputTokens) / sum((usage) => usage.inputTokens);
  } finally {
    await gateway.close();
  }
}

describe('sticky: true', () => {
  it('raises the share of input tokens that are cached, over two channels with three keys each', async () => {
    const scattered = await measureShare(false);
    const kept = await measureShare(true);
    expect(scattered).toBeLessThan(0.6);
    expect(kept).toBeGreaterThan(0.65);
    expect(kept).toBeGreaterThan(scattered + 0.1);
  });
});
