import { type CallerToken, type Channel, sha256 } from '@mg/contract';
import { Compactions, deriveSecretKey, type StoredResponses } from '@mg/persistence/gateway';
import { FAILURES, type FakeUpstream, startFakeUpstream } from '@mg/testkit';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funds } from '../../access/funds.js';
import { TokenCache } from '../../access/token-cache.js';
import { KeptInMemory } from '../../testing/kept-in-memory.js';
import { type ScriptedUpstream, startScriptedUpstream } from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

const OTHER_KEY = 'sk-other-wallet-0000';
const KEYS = ['sk-project-one', 'sk-project-two', 'sk-project-three'];
const WALLETS: Readonly<Record<string, string>> = {
  [sha256('sk-held000000000000')]: 'w',
  [sha256(OTHER_KEY)]: 'other',
};

type Ask = Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming> & Record<string, unknown>;

let upstream: FakeUpstream;
let gateway: SmallGateway;
let kept: KeptInMemory;
let found: Channel | undefined;
beforeAll(async () => {
  upstream = await startFakeUpstream();
});
beforeEach(async () => {
  kept = new KeptInMemory();
  found = undefined;
  gateway = await startSmallGateway('held', {
    responses: kept as unknown as StoredResponses,
    tokens: new TokenCache(async (hash) => {
      const walletId = WALLETS[hash];
      return walletId
        ? ({ id: hash, name: 't', userId: 'u', disabled: false, walletId } as CallerToken)
        : undefined;
    }),
    funds: { need: async () => undefined } as unknown as Funds,
    compactions: new Compactions(deriveSecretKey('a key of thirty-two characters...')),
    findChannel: async () => found,
  });
  gateway.channels = ['a', 'b'].map((name) => openAi(name));
});
afterEach(async () => {
  await gateway.close();
  upstream.reset();
});
afterAll(() => upstream.close());

/** A channel of several projects at the one provider, which knows the model by the channel's name. */
function openAi(name: string, facts: Partial<Channel> = {}): Channel {
  const models = new Map([['m', `m-${name}`]]);
  return makeChannel(name, {
    type: 'openai',
    baseUrl: `${upstream.url}/v1`,
    apiKeys: KEYS,
    models,
    ...facts,
  });
}

const connect = (apiKey = gateway.key) =>
  new OpenAI({ apiKey, baseURL: `${gateway.url}/v1`, maxRetries: 0 }).responses;
const create = (ask: Ask) => connect().create({ model: 'm', input: 'Hello', ...ask });
const goOn = (previous: { readonly id: string }, ask: Ask = {}) =>
  create({ input: 'And then?', previous_response_id: previous.id, ...ask });

/** What the provider was asked, in order. */
const bodies = () => upstream.calls.map(({ body }) => body);
const textsOf = (body: unknown) => JSON.stringify((body as { readonly input: unknown }).input);
const placeOf = ({ headers, model }: FakeUpstream['calls'][number]) => [headers.authorization, model];

/** What is wanted of each hold from now on, in nano-dollars. */
function watchHolds(): readonly bigint[] {
  const held: bigint[] = [];
  const { openHold } = gateway.context.wallet;
  Object.assign(gateway.context.wallet, {
    openHold: (request: Parameters<typeof openHold>[0]) => {
      held.push(request.wanted);
      return openHold(request);
    },
  });
  return held;
}

/** Leaves the gateway with one channel, and one key of it. */
function useOne(): Channel {
  const channel = openAi('a', { apiKeys: KEYS.slice(0, 1) });
  gateway.channels = [channel];
  return channel;
}

describe('a response that the upstream keeps', () => {
  it('is gone on from there, turn by turn, with nothing but what is new', async () => {
    let last = await create({});
    for (let turn = 0; turn < 6; turn++) last = await goOn(last, { input: `Turn ${turn}` });
    const [first, ...later] = upstream.calls;
    expect(later.map(placeOf)).toEqual(later.map(() => first && placeOf(first)));
    expect(later[5]?.body).toEqual({
      model: first?.model,
      input: 'Turn 5',
      previous_response_id: later[4] && `resp_${later[4].id.replace('req_', '')}`,
      max_output_tokens: 16_384,
    });
    expect(last).toMatchObject({ store: true, output: [{ type: 'message' }] });
    await gateway.context.requestLog.flush();
    expect(gateway.log.at(-1)?.attempts).toMatchObject([{ reason: expect.stringContaining('goes on from') }]);
  });

  it('is gone on from in a stream', async () => {
    const first = await create({});
    let id = '';
    const ask = { model: 'm', input: 'And?', previous_response_id: first.id, stream: true as const };
    for await (const event of await connect().create(ask)) {
      if (event.type === 'response.completed') id = event.response.id;
    }
    await goOn({ id });
    expect(bodies()).toMatchObject([{}, { previous_response_id: first.id }, { previous_response_id: id }]);
  });

  it('is held for, bounded and charged as the whole conversation that the provider reads', async () => {
    const held = watchHolds();
    const first = await create({ input: 'x '.repeat(25_000), max_output_tokens: 10 });
    await create({ input: 'y', max_output_tokens: 10 });
    await goOn(first, { input: 'y', max_output_tokens: 10 });
    expect(upstream.calls[2]?.rawBody.length).toBeLessThan(1_000);
    // 50,000 bytes more of a prompt at 0.25 dollars a million tokens.
    expect((held[2] ?? 0n) - (held[1] ?? 0n)).toBeGreaterThan(50_000n * 250n);
    await gateway.context.journal.flush();
    expect(gateway.journal[2]?.usage.inputTokens).toBe(upstream.calls[2]?.promptTokens);
    expect(upstream.calls[2]?.promptTokens).toBeGreaterThan(10_000);
  });

  it.each([false, true])(
    'is sent once more as a whole where the upstream has forgotten it (stream: %s)',
    async (stream) => {
      useOne();
      const first = await create({ input: 'A capital?' });
      upstream.reset();
      const answer = await gateway.post('/v1/responses', {
        model: 'm',
        input: 'Of what?',
        previous_response_id: first.id,
        stream,
      });
      expect(answer.status).toBe(200);
      expect(await answer.text()).toContain('"completed"');
      const [native, whole] = bodies();
      expect([native?.['previous_response_id'], whole?.['previous_response_id']]).toEqual([
        first.id,
        undefined,
      ]);
      for (const text of ['A capital?', 'Of what?']) expect(textsOf(whole)).toContain(text);
      expect(upstream.calls).toHaveLength(2);
      await gateway.context.requestLog.flush();
      expect(gateway.log.at(-1)).toMatchObject({ status: 200, attempts: [{ outcome: 'served' }] });
      expect(gateway.context.attempts.take()).toMatchObject([{ failed: 0 }]);
    },
  );
});

describe('anybody else gets the whole conversation', () => {
  it('another channel, when the one that keeps it fails, which then keeps it itself', async () => {
    const [a, b] = [openAi('a', { priority: 1 }), openAi('b')];
    gateway.channels = [a, b];
    const first = await create({ input: 'A capital?' });
    upstream.script('m-a', { failure: FAILURES.serverError });
    const second = await goOn(first, { input: 'Of what?' });
    const third = await goOn(second, { input: 'Sure?' });
    const [, native, whole, atA, atB] = upstream.calls;
    expect([native?.model, whole?.model]).toEqual(['m-a', 'm-b']);
    expect(native?.body).toMatchObject({ previous_response_id: first.id });
    expect(whole?.body).not.toHaveProperty('previous_response_id');
    expect(textsOf(whole?.body)).toContain('A capital?');
    // The channel of the higher priority is asked first, and does not know what the other one answered.
    expect([atA?.model, atB?.model]).toEqual(['m-a', 'm-b']);
    expect(atA?.body).not.toHaveProperty('previous_response_id');
    expect(atB?.body).toMatchObject({ input: 'Sure?', previous_response_id: second.id });
    expect(third.status).toBe('completed');
  });

  it('another key of the channel, when the one that keeps it is limited, disabled or gone', async () => {
    const channel = openAi('a');
    gateway.channels = [channel];
    const first = await create({ input: 'A capital?' });
    const own = String(upstream.calls[0]?.headers.authorization).replace('Bearer ', '');
    upstream.script('m-a', { failure: FAILURES.rateLimited }, {});
    await goOn(first);
    const [, limited, other] = upstream.calls;
    expect(limited?.body).toMatchObject({ previous_response_id: first.id });
    expect(other?.headers.authorization).not.toBe(limited?.headers.authorization);
    expect(textsOf(other?.body)).toContain('A capital?');
    gateway.channels = [{ ...channel, apiKeys: KEYS.filter((key) => key !== own), disabledKeys: [own] }];
    await goOn(first);
    expect(textsOf(bodies().at(-1))).toContain('A capital?');
    expect(bodies().at(-1)).not.toHaveProperty('previous_response_id');
  });

  it('a provider that is not known to keep responses', async () => {
    gateway.channels = [openAi('a', { type: 'openai-compatible' })];
    const first = await create({ input: 'A capital?' });
    await goOn(first);
    expect(bodies().at(-1)).not.toHaveProperty('previous_response_id');
  });

  it('is on Azure as it is at OpenAI', async () => {
    const settings = { api_version: '2025-03-01-preview' };
    gateway.channels = [openAi('a', { type: 'azure-openai', baseUrl: upstream.url, settings })];
    const first = await create({});
    await goOn(first);
    expect(bodies().at(-1)).toMatchObject({ input: 'And then?', previous_response_id: first.id });
    found = gateway.channels[0];
    await connect().delete(first.id);
    expect(upstream.keptResponses.ids).not.toContain(first.id);
  });
});

it('ids that the upstream knows are not those of another wallet', async () => {
  useOne();
  const mine = await create({});
  const asked = upstream.calls.length;
  const going = connect(OTHER_KEY).create({ model: 'm', input: 'y', previous_response_id: mine.id });
  await expect(going).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  kept.rows.clear();
  await expect(goOn(mine)).rejects.toMatchObject({ status: 400, param: 'previous_response_id' });
  expect(upstream.calls).toHaveLength(asked);
});

describe('a request means the same in both ways', () => {
  it('with settings of its own alone: none of the response before', async () => {
    useOne();
    const first = await create({
      instructions: 'Speak French.',
      truncation: 'auto',
      include: ['reasoning.encrypted_content'],
      temperature: 0.5,
    });
    const own = { instructions: 'Speak German.', include: ['reasoning.encrypted_content' as const] };
    await goOn(first);
    await goOn(first, own);
    const sent = {
      model: 'm-a',
      input: 'And then?',
      previous_response_id: first.id,
      max_output_tokens: 16_384,
    };
    expect(bodies().slice(1)).toEqual([sent, { ...sent, ...own }]);
    upstream.reset();
    await goOn(first, own);
    const { input: _input, previous_response_id: _previous, ...settings } = { ...sent, ...own };
    expect(bodies()[1]).toEqual({ ...settings, input: expect.any(Array) });
  });

  it('with items that it names, and with compactions', async () => {
    useOne();
    const { output } = await create({ input: 'A river?' });
    const first = await create({ input: 'A capital?' });
    const sealed = gateway.context.compactions?.seal('w', 'They talked of Norway.');
    const input = [
      { type: 'item_reference', id: String(output[0]?.id) },
      { type: 'compaction', encrypted_content: `mgc_${sealed}` },
      { role: 'user', content: 'Sure?' },
    ] as OpenAI.Responses.ResponseInput;
    await goOn(first, { input });
    const native = bodies()[2];
    expect(native).toMatchObject({
      previous_response_id: first.id,
      input: [{ type: 'message', role: 'assistant' }, {}, { content: 'Sure?' }],
    });
    expect(textsOf(native)).toContain('They talked of Norway.');
    expect(textsOf(native)).not.toContain('A capital?');
  });

  it.each([{ background: true }, { prompt: { id: 'pmpt_1' } }])('and %o is refused', async (field) => {
    useOne();
    const first = await create({});
    await expect(goOn(first, field)).rejects.toMatchObject({ status: 400, param: Object.keys(field)[0] });
    expect(upstream.calls).toHaveLength(1);
  });

  it('after a compaction that was asked for by a trigger, as a whole and without the trigger', async () => {
    useOne();
    const input = [
      { role: 'user', content: 'A capital?' },
      { type: 'compaction_trigger' },
    ] as unknown as OpenAI.Responses.ResponseInput;
    const first = await create({ input, max_output_tokens: 90 });
    await goOn(first);
    expect(bodies()[1]).not.toHaveProperty('previous_response_id');
    expect(textsOf(bodies()[1])).not.toContain('compaction_trigger');
  });
});

describe('DELETE of a response', () => {
  it('deletes what the upstream keeps, with the key that holds it, a disabled one too', async () => {
    const channel = useOne();
    const first = await create({});
    expect(upstream.keptResponses.ids).toEqual([first.id]);
    found = { ...channel, apiKeys: [], disabledKeys: channel.apiKeys };
    await connect().delete(first.id);
    expect(upstream.keptResponses.ids).toEqual([]);
  });

  it('succeeds where the channel is gone, or the upstream fails', async () => {
    const channel = useOne();
    const [first, second] = [await create({}), await create({})];
    await connect().delete(first.id);
    found = { ...channel, baseUrl: 'http://127.0.0.1:9' };
    await connect().delete(second.id);
    expect(kept.rows.size).toBe(0);
  });
});

describe('what the upstream says of what it keeps', () => {
  let scripted: ScriptedUpstream;
  const say = (facts: object) => {
    const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Oslo.' }] };
    const output = [
      { id: 'rs_1', type: 'reasoning', summary: [] },
      { id: 'msg_1', ...message },
    ];
    const usage = { input_tokens: 3, output_tokens: 2 };
    const body = {
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      model: 'm',
      output,
      usage,
      ...facts,
    };
    scripted.answer = { body: JSON.stringify(body) };
  };
  beforeEach(async () => {
    scripted = await startScriptedUpstream();
    gateway.channels = [openAi('a', { baseUrl: `${scripted.url}/v1` })];
  });
  afterEach(() => scripted.close());

  it('goes on with the reasoning that it alone knows', async () => {
    say({ store: true });
    const { _request_id, ...first } = await create({});
    expect(_request_id).toBeTruthy();
    say({ id: 'resp_2', store: true });
    await goOn(first);
    expect(scripted.asked[1]?.body).toMatchObject({ input: 'And then?', previous_response_id: 'resp_1' });
  });

  it('is held for with the reasoning that it alone knows, of every turn', async () => {
    const held = watchHolds();
    for (const [at, tokens] of [2, 2, 20_000, 2].entries()) {
      say({ id: `resp_${at}`, store: true, usage: { input_tokens: 3, output_tokens: tokens } });
      const previous = at === 0 ? {} : { previous_response_id: `resp_${at - 1}` };
      await create({ input: 'y', max_output_tokens: 10, ...previous });
    }
    const [, second = 0n, third = 0n, fourth = 0n] = held;
    expect(scripted.asked[3]?.body).toMatchObject({ previous_response_id: 'resp_2' });
    // At 0.25 dollars a million tokens.
    expect(third - second).toBeLessThan(1_000n * 250n);
    expect(fourth - third).toBeGreaterThan(20_000n * 250n);
  });

  it.each([
    ['its account keeps nothing', { store: false }],
    ['it does not say that it keeps anything', {}],
    ['it searched, and what it found nobody saw', { store: true, output: [{ type: 'web_search_call' }] }],
    ['it does not say how long its answer was', { store: true, usage: null }],
  ])('is asked with the whole where %s', async (_, facts) => {
    say(facts);
    const first = await create({});
    await goOn(first);
    expect(scripted.asked[1]?.body).not.toHaveProperty('previous_response_id');
  });

  it('is asked with the whole where it refuses to go on from a response, in whatever words', async () => {
    say({ store: true });
    const first = await create({});
    const error = { message: "This server does not support 'previous_response_id'.", type: 'not_supported' };
    scripted.answer = { status: 400, body: JSON.stringify({ error }) };
    await goOn(first).catch(() => undefined);
    const asked = scripted.asked.slice(1).map(({ body }) => 'previous_response_id' in body);
    expect(asked).toEqual([true, false]);
  });
});
