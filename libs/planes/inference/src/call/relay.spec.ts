import type { JournalRow } from '@mg/contract';
import { createGate, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import type { BodyReader } from '@mg/transport';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ClientConnection } from '../edge/client-connection.js';
import { collectUsage, makeChannel, type SmallGateway, startSmallGateway } from '../testing/small-gateway.js';
import { relayPassthrough } from './relay-passthrough.js';
import type { PassthroughOutcome } from './take-answer.js';

const CHAT = { model: 'm', messages: [{ role: 'user', content: 'hi' }], max_tokens: 20 };
const PROMPT = { contents: [{ role: 'user', parts: [{ text: 'hi' }] }] };
const MESSAGES = { ...CHAT, stream: true };

let upstream: FakeUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

describe('F3: an answer is not whole before its usage is kept', () => {
  it.each([
    ['a whole chat', '/v1/chat/completions', CHAT],
    ['a streamed chat', '/v1/chat/completions', { ...CHAT, stream: true }],
    ['a converted stream', '/v1/messages', MESSAGES],
    ['a stream without a last event', '/v1beta/models/m:streamGenerateContent?alt=sse', PROMPT],
  ])('%s', async (_name, path, body) => {
    const rows: JournalRow[] = [];
    const asked = vi.fn<() => boolean>(() => false);
    const gate = createGate();
    // A spool that takes nothing has the answer wait for Postgres, which answers when the gate opens.
    const journal = collectUsage(rows, { append: asked }, () => gate.wait());
    gateway = await startSmallGateway('whole', { journal });
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];

    const ended = vi.fn<() => void>();
    const reading = gateway.post(path, body).then(async (response) => {
      const text = await response.text();
      ended();
      return { status: response.status, text };
    });
    await expect.poll(() => asked).toHaveBeenCalledOnce();
    // Whatever had been sent by now would have arrived before this answer.
    await fetch(gateway.url);
    expect(ended).not.toHaveBeenCalled();
    gate.open();
    expect((await reading).status).toBe(200);
    expect(rows).toMatchObject([{ phase: 'usage' }]);
  });

  it('and goes out whole although most of it went before', async () => {
    gateway = await startSmallGateway('same');
    gateway.channels = [makeChannel('c', { baseUrl: upstream.url, models: new Map([['m', 'plain']]) })];
    const text = await (await gateway.post('/v1/chat/completions', { ...CHAT, stream: true })).text();
    expect(text.match(/data: \[DONE\]/g)).toHaveLength(1);
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
  });
});

describe('an answer that is passed through', () => {
  it('F3: comes piece by piece as it is, without its last byte', async () => {
    gateway = await startSmallGateway('speech');
    const sent: string[] = [];
    const client = {
      watch: () => undefined,
      write: (bytes: Buffer) => sent.push(bytes.toString()) > 0,
    } as unknown as ClientConnection;
    const readers: BodyReader[] = [];
    const body = { attach: (reader: BodyReader) => readers.push(reader) };
    const relaying = relayPassthrough({ body } as unknown as PassthroughOutcome, client);
    const [reader] = readers;
    const seen = ['one', 't', 'wo'].map((piece) => {
      void reader?.data(Buffer.from(piece));
      return sent.join('');
    });
    reader?.end();
    const { kind, last } = await relaying;
    expect(seen).toEqual(['on', 'one', 'onetw']);
    expect([kind, sent.join('') + last.toString()]).toEqual(['completed', 'onetwo']);
  });
});
