import type { StoredResponses } from '@mg/persistence/gateway';
import { findChatProtocol } from '@mg/protocols';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import type { Funds } from '../../access/funds.js';
import { KeptInMemory } from '../../testing/kept-in-memory.js';
import { type ScriptedUpstream, startScriptedUpstream } from '../../testing/scripted-upstream.js';
import { makeChannel, type SmallGateway, startSmallGateway } from '../../testing/small-gateway.js';

let upstream: ScriptedUpstream;
let gateway: SmallGateway;
let kept: KeptInMemory;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
});
beforeEach(async () => {
  kept = new KeptInMemory();
  gateway = await startSmallGateway('many-items', {
    responses: kept as unknown as StoredResponses,
    funds: { need: async () => undefined } as unknown as Funds,
  });
  gateway.channels = [
    makeChannel('o', { type: 'openai', baseUrl: `${upstream.url}/v1`, apiKeys: ['sk-test'] }),
  ];
  upstream.asked.length = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  await gateway.close();
});
afterAll(() => upstream.close());

function answer(id: string, items: number): void {
  const message = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Oslo.' }] };
  upstream.answer = {
    body: JSON.stringify({
      id,
      object: 'response',
      status: 'completed',
      model: 'm',
      output: Array.from({ length: items }, (_, index) => ({ id: `${id}_${index}`, ...message })),
      usage: { input_tokens: 3, output_tokens: 2 },
    }),
  };
}

async function ask(input: unknown): Promise<unknown> {
  const asked = await gateway.post('/v1/responses', { model: 'm', input });
  expect(asked.status).toBe(200);
  return asked.json();
}

it('an answer of more items than a request may hold is not kept', async () => {
  for (const items of [2_048, 2_049]) {
    answer(`resp_${items}`, items);
    expect(await ask('A capital?')).toMatchObject({ id: `resp_${items}` });
  }
  expect([...kept.rows.values()].map(({ id }) => id)).toEqual(['resp_2048']);
});

it('T25: each response that has a named item is looked through in a turn of the event loop of its own', async () => {
  const { memory } = findChatProtocol('openai-responses');
  if (!memory) throw new Error('nothing is remembered');
  const ids = ['a', 'b', 'c'];
  for (const id of ids) {
    answer(id, 1);
    await ask('x');
  }
  let turn = 0;
  const count = () => {
    turn++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const turns = new Map<unknown, number>();
  const { listItemIds } = memory;
  vi.spyOn(memory, 'listItemIds').mockImplementation((items) => {
    for (const id of listItemIds(items)) if (!turns.has(id)) turns.set(id, turn);
    return listItemIds(items);
  });
  answer('d', 1);
  await ask(ids.map((id) => ({ type: 'item_reference', id: `${id}_0` })));
  clearImmediate(counting);
  expect(upstream.asked.at(-1)?.body.input).toMatchObject(ids.map((id) => ({ id: `${id}_0` })));
  expect(new Set(ids.map((id) => turns.get(`${id}_0`))).size).toBe(3);
});
