import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compactions, deriveSecretKey } from '@mg/persistence/gateway';
import OpenAI from 'openai';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Funds } from '../../access/funds.js';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
  writeEvents,
} from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

/** What Codex sends, recorded. */
const RECORDED = join(
  import.meta.dirname,
  '../../../../../protocols/src/openai-responses/__golden__/codex-tools/request.json',
);
const CODEX = JSON.parse(readFileSync(RECORDED, 'utf8')) as OpenAI.Responses.ResponseCreateParamsStreaming & {
  readonly input: OpenAI.Responses.ResponseInputItem[];
};
const WISH: OpenAI.Responses.ResponseInputItem = {
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: 'Go on.' }],
};
const TRIGGER = { type: 'compaction_trigger' } as unknown as OpenAI.Responses.ResponseInputItem;
const SUMMARY = 'The file is half written.';
const USAGE = { input_tokens: 300, output_tokens: 20 };

/** An answer of each kind of upstream, with a text. */
const ANSWERS: Readonly<Record<string, (text: string) => object>> = {
  anthropic: (text) => ({
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: [{ type: 'text', text }],
    stop_reason: 'end_turn',
    usage: USAGE,
  }),
  gemini: (text) => ({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 300, candidatesTokenCount: 20, totalTokenCount: 320 },
  }),
  'openai-compatible': (text) => ({
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 300, completion_tokens: 20, total_tokens: 320 },
  }),
};

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(async () => {
  const funds = { need: async () => undefined } as unknown as Funds;
  const compactions = new Compactions(deriveSecretKey('a key of thirty-two characters...'));
  gateway = await startSmallGateway('triggered', { funds, compactions });
  upstream.asked.length = 0;
});
afterEach(() => gateway.close());
afterAll(() => upstream.close());

function useChannel(type: string): void {
  const baseUrl = `${upstream.url}/${type === 'gemini' ? 'v1beta' : 'v1'}`;
  gateway.channels = [makeChannel('c', { type, baseUrl, apiKeys: ['sk-test'] })];
}
const say = (type: string, text: string) => {
  upstream.answer = { body: JSON.stringify(ANSWERS[type]?.(text)) };
};
const responses = () =>
  new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 }).responses;

/** Events of what Codex asks for, with something else as its input. */
async function ask(input: readonly OpenAI.Responses.ResponseInputItem[]) {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  const stream = await responses().create({ ...CODEX, model: 'm', input: [...input] });
  for await (const event of stream) events.push(event);
  return events;
}

describe("Codex's wish to compact, over a channel that compacts nothing", () => {
  it.each(Object.keys(ANSWERS))('is answered by one item, with which it goes on: %s', async (type) => {
    useChannel(type);
    say(type, SUMMARY);
    const events = await ask([...CODEX.input, TRIGGER]);
    expect(events.map((event) => event.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ]);
    const items = events.flatMap((event) => (event.type === 'response.output_item.done' ? [event.item] : []));
    expect(items).toMatchObject([{ type: 'compaction', encrypted_content: expect.any(String) }]);
    expect(events.at(-1)).toMatchObject({
      response: { status: 'completed', output: items, usage: { ...USAGE, total_tokens: 320 } },
    });
    const [asked] = upstream.asked;
    expect(asked?.body).not.toHaveProperty('tools');
    expect(JSON.stringify(asked?.body)).toContain('Write a file.');
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([{ endpoint: '/v1/responses', status: 200, reason: 'completed' }]);
    await expect
      .poll(() => gateway.journal)
      .toMatchObject([{ usage: { inputTokens: 300, outputTokens: 20 } }]);

    upstream.answer = { status: 400, body: '{}' };
    const said = CODEX.input.filter((item) => 'role' in item && item.role === 'user');
    await ask([...said, ...(items as OpenAI.Responses.ResponseInputItem[]), WISH]).catch(() => undefined);
    const next = JSON.stringify(upstream.asked[1]?.body);
    for (const text of ['Write a file.', SUMMARY, 'Go on.']) expect(next).toContain(text);
  });

  it('is answered whole to who wants no stream, within the limit of the caller', async () => {
    useChannel('anthropic');
    say('anthropic', SUMMARY);
    const input = [{ role: 'user' as const, content: 'Hello.' }, TRIGGER];
    const asked = { model: 'm', input, store: false, max_output_tokens: 500 };
    expect(await responses().create(asked)).toMatchObject({
      object: 'response',
      status: 'completed',
      output: [{ type: 'compaction' }],
      usage: { ...USAGE, total_tokens: 320 },
    });
    expect(upstream.asked[0]?.body).toMatchObject({ max_tokens: 500 });
  });

  it('fails, and costs nothing, where the model says nothing', async () => {
    useChannel('anthropic');
    say('anthropic', '');
    await expect(ask([...CODEX.input, TRIGGER])).rejects.toMatchObject({ status: 502 });
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([{ status: 502, cost: 0n }]);
  });
});

describe("Codex's wish to compact, over a channel that takes long", () => {
  const begin = async (summary: string) => {
    const { promise: after, resolve: go } = Promise.withResolvers<void>();
    useChannel('anthropic');
    say('anthropic', summary);
    upstream.answer = { ...upstream.answer, after };
    const stream = await responses().create({ ...CODEX, model: 'm', input: [...CODEX.input, TRIGGER] });
    const events = stream[Symbol.asyncIterator]();
    const read = async () => (await events.next()).value as OpenAI.Responses.ResponseStreamEvent;
    const opening = [await read(), await read()];
    expect(opening.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress']);
    return { go, opening, read };
  };

  it('has its stream begin before the summary is there, and go on from there', async () => {
    const { go, opening, read } = await begin(SUMMARY);
    expect(upstream.asked).toHaveLength(1);
    go();
    const events = [...opening, await read(), await read(), await read()];
    expect(events.map(({ sequence_number: number }) => number)).toEqual([0, 1, 2, 3, 4]);
    const [created] = events;
    const { id } = (created as OpenAI.Responses.ResponseCreatedEvent).response;
    expect(events.at(-1)).toMatchObject({
      type: 'response.completed',
      response: { id, output: [{ type: 'compaction' }] },
    });
    expect(await read()).toBeUndefined();
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([{ status: 200, reason: 'completed' }]);
    await expect.poll(() => gateway.journal).toMatchObject([{ phase: 'usage' }]);
  });

  it('is told by an event that it came to nothing, and costs nothing', async () => {
    const { go, read } = await begin('');
    go();
    const failed = await read();
    expect(failed).toMatchObject({
      type: 'response.failed',
      sequence_number: 2,
      response: { status: 'failed' },
    });
    expect((failed as OpenAI.Responses.ResponseFailedEvent).response.error?.code).toBe('upstream_error');
    expect(await read()).toBeUndefined();
    await gateway.context.requestLog.flush();
    expect(gateway.log).toMatchObject([
      { status: 200, reason: 'upstream_failed', errorCode: 'upstream_error', cost: 0n },
    ]);
  });
});

it("Codex's wish to compact reaches a provider that compacts itself as it is", async () => {
  useChannel('openai');
  const item = { id: 'cmp_1', type: 'compaction', encrypted_content: 'gAAAA' };
  const response = { id: 'resp_1', object: 'response', created_at: 1, status: 'completed', output: [item] };
  upstream.answer = writeEvents(
    { type: 'response.created', response: { ...response, status: 'in_progress', output: [] } } as {
      type: string;
    },
    { type: 'response.output_item.done', output_index: 0, item } as { type: string },
    { type: 'response.completed', response: { ...response, usage: { ...USAGE, total_tokens: 320 } } } as {
      type: string;
    },
  );
  // Reasoning that was carried for another provider would be converted.
  const input = [{ role: 'user' as const, content: 'Hello.' }, TRIGGER];
  const events = await ask(input);
  expect(events.map((event) => event.type)).toEqual([
    'response.created',
    'response.output_item.done',
    'response.completed',
  ]);
  expect(upstream.asked).toMatchObject([{ path: '/v1/responses', body: { input } }]);
  await expect.poll(() => gateway.journal).toMatchObject([{ usage: { inputTokens: 300, outputTokens: 20 } }]);
});
