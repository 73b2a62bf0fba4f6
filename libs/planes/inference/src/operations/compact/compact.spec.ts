import { type CallerToken, sha256 } from '@mg/contract';
import { Compactions, deriveSecretKey } from '@mg/persistence/gateway';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funds } from '../../access/funds.js';
import { TokenCache } from '../../access/token-cache.js';
import { type ScriptedUpstream, startScriptedUpstream } from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const OTHER_KEY = 'sk-other-wallet-0000';
const SUMMARY = 'The user wants a poem; notes.txt was read.';
const HISTORY = [
  { role: 'user' as const, content: 'Write a poem.' },
  { type: 'function_call' as const, call_id: 'c1', name: 'read', arguments: '{"file":"notes.txt"}' },
  { type: 'function_call_output' as const, call_id: 'c1', output: 'roses' },
  { role: 'assistant' as const, content: 'I have read it.' },
];

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(async () => {
  const wallets: Readonly<Record<string, string>> = {
    [sha256('sk-compact000000000')]: 'w',
    [sha256(OTHER_KEY)]: 'other',
  };
  const tokens = new TokenCache(async (hash) => {
    const walletId = wallets[hash];
    return walletId
      ? ({ id: hash, name: 't', userId: 'u', disabled: false, walletId } as CallerToken)
      : undefined;
  });
  const funds = { need: async () => undefined } as unknown as Funds;
  const compactions = new Compactions(deriveSecretKey('a key of thirty-two characters...'));
  gateway = await startSmallGateway('compact', { tokens, funds, compactions });
  useChannel('anthropic');
  upstream.asked.length = 0;
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

const useChannel = (type: string) => {
  gateway.channels = [makeChannel('c', { type, baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-test'] })];
};
const connect = (apiKey = gateway.key) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 }).responses;

function say(text: string): void {
  upstream.answer = {
    body: JSON.stringify({
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'm',
      content: text === '' ? [] : [{ type: 'text', text }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 300, output_tokens: 20 },
    }),
  };
}

describe('a conversation over a channel that compacts nothing', () => {
  it('is summarised by the model, and goes on from what stands for it', async () => {
    say(SUMMARY);
    const compacted = await connect().compact({ model: 'm', input: HISTORY, instructions: 'Be brief.' });
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Write a poem.' }] },
        { type: 'compaction' },
      ],
      usage: { input_tokens: 300, output_tokens: 20, total_tokens: 320 },
    });
    expect(JSON.stringify(compacted)).not.toContain('notes.txt');
    const [asked] = upstream.asked;
    expect(asked?.body).toMatchObject({ system: 'Be brief.' });
    expect(asked?.body).not.toHaveProperty('tools');
    expect(JSON.stringify(asked?.body.messages)).toContain('[called read: {\\"file\\":\\"notes.txt\\"}]');
    expect(JSON.stringify(asked?.body.messages)).toContain('[result: roses]');
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([
      { endpoint: '/v1/responses/compact', status: 200, reason: 'completed' },
    ]);
    await expect
      .poll(() => gateway.journal)
      .toMatchObject([{ usage: { inputTokens: 300, outputTokens: 20 } }]);

    say('Roses are red.');
    const input = [
      ...compacted.output,
      { role: 'user', content: 'Go on.' },
    ] as OpenAI.Responses.ResponseInput;
    const next = await connect().create({ model: 'm', input });
    expect(next.output_text).toBe('Roses are red.');
    const told = JSON.stringify(upstream.asked[1]?.body.messages);
    expect(told).toContain('Write a poem.');
    expect(told).toContain(SUMMARY);
    expect(told).toContain('Go on.');
  });

  it('is compacted again: the earlier summary goes into the later one and is not repeated', async () => {
    say(SUMMARY);
    const { output } = await connect().compact({ model: 'm', input: HISTORY });
    say('A later summary.');
    const later = await connect().compact({ model: 'm', input: output as OpenAI.Responses.ResponseInput });
    expect(JSON.stringify(upstream.asked[1]?.body.messages)).toContain(SUMMARY);
    expect(later.output.map(({ type }) => type)).toEqual(['message', 'compaction']);
  });

  it('may be longer than what is answered', async () => {
    say(SUMMARY);
    const input = Array.from({ length: 2_100 }, (_, turn) => ({ role: 'user' as const, content: `${turn}` }));
    expect((await connect().compact({ model: 'm', input })).output).toHaveLength(2_101);
  });

  it('is not compacted, and costs nothing, where the model says nothing', async () => {
    say('');
    await expect(connect().compact({ model: 'm', input: HISTORY })).rejects.toMatchObject({ status: 502 });
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([{ status: 502, cost: 0n }]);
  });
});

describe('what cannot be read is refused', () => {
  it('by another wallet, and altered', async () => {
    say(SUMMARY);
    const { output } = await connect().compact({ model: 'm', input: HISTORY });
    const input = output as OpenAI.Responses.ResponseInput;
    const refusal = { status: 400, param: 'input' };
    await expect(connect(OTHER_KEY).create({ model: 'm', input })).rejects.toMatchObject(refusal);
    const altered = JSON.parse(JSON.stringify(input).replace(/(mgc_v1\.\w+\.)../, '$1AA'));
    await expect(connect().create({ model: 'm', input: altered })).rejects.toMatchObject(refusal);
    expect(upstream.asked).toHaveLength(1);
  });

  it("a provider's own compaction, over a channel of another protocol", async () => {
    for (const type of ['compaction', 'context_compaction']) {
      const input = [{ type, encrypted_content: 'gAAAA' }] as OpenAI.Responses.ResponseInput;
      await expect(connect().create({ model: 'm', input })).rejects.toMatchObject({ status: 400 });
    }
    const early = [{ type: 'compaction_trigger' }, HISTORY[0]] as OpenAI.Responses.ResponseInput;
    await expect(connect().create({ model: 'm', input: early })).rejects.toMatchObject({ status: 400 });
    expect(upstream.asked).toEqual([]);
  });

  it.each([
    [{ model: 'm', input: 'x', stream: true }, 'stream'],
    [{ model: 'm' }, 'input'],
    [{ model: 'm', input: [1] }, 'input[0]'],
  ])('%o', async (body, param) => {
    const answer = await gateway.post('/v1/responses/compact', body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ detail: { param } });
  });
});

describe('a conversation over a channel that compacts itself', () => {
  const OWN = {
    id: 'resp_9',
    object: 'response.compaction',
    created_at: 1,
    output: [{ id: 'cmp_9', type: 'compaction', encrypted_content: 'gAAAA' }],
    usage: { input_tokens: 300, output_tokens: 20, total_tokens: 320 },
  };

  const limitAnswers = (maxOutputTokens?: number) => {
    const catalog = gateway.context.catalog();
    const model = { ...catalog.models.get('m'), maxOutputTokens };
    Object.assign(gateway.context, {
      catalog: () => ({ ...gateway.context.catalog, ...catalog, models: new Map([['m', model]]) }),
    });
  };

  it("is compacted there, in the client's own words, and billed by what it says it used", async () => {
    useChannel('openai');
    limitAnswers(1_000);
    upstream.answer = { body: JSON.stringify(OWN) };
    expect(await connect().compact({ model: 'm', input: HISTORY })).toEqual(OWN);
    expect(upstream.asked).toMatchObject([
      { path: '/v1/responses/compact', body: { model: 'm', input: HISTORY } },
    ]);
    await gateway.context.requestLog.flush();
    await expect
      .poll(() => gateway.journal)
      .toMatchObject([{ usage: { inputTokens: 300, outputTokens: 20 } }]);
  });

  it('is summarised with a cap where nobody knows how long an answer of the model can be', async () => {
    useChannel('openai');
    limitAnswers();
    const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: SUMMARY }] };
    const response = {
      id: 'resp_1',
      object: 'response',
      created_at: 1,
      status: 'completed',
      output: [message],
    };
    upstream.answer = { body: JSON.stringify({ ...response, usage: OWN.usage }) };
    const { output } = await connect().compact({ model: 'm', input: HISTORY });
    expect(output.at(-1)).toMatchObject({ type: 'compaction' });
    expect(upstream.asked).toMatchObject([{ path: '/v1/responses', body: { max_output_tokens: 16_384 } }]);
  });
});
