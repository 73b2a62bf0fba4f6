import { NO_USAGE } from '@mg/contract';
import { describe, expect, it, vi } from 'vitest';
import { nameRequestBody } from './name-request.js';
import { ResponseCache } from './response-cache.js';

const answer = (size: number) => ({
  reply: { status: 200, headers: {}, body: Buffer.alloc(size) },
  model: 'm',
  usage: NO_USAGE,
});

describe('ResponseCache', () => {
  it('keeps answers for as long as they were kept for', () => {
    let nowMs = 0;
    const cache = new ResponseCache(100_000, () => nowMs);
    cache.keep('a', 'w', answer(10), 1_000);
    nowMs = 999;
    expect(cache.find('a', 1_000)).toBeDefined();
    nowMs = 1_000;
    expect(cache.find('a', 1_000)).toBeUndefined();
  });

  it('gives none that is older than it may be', () => {
    let nowMs = 0;
    const cache = new ResponseCache(100_000, () => nowMs);
    cache.keep('a', 'w', answer(10), 60_000);
    nowMs = 20_000;
    expect(cache.find('a', 10_000)).toBeUndefined();
    expect(cache.find('a', 30_000)).toBeDefined();
  });

  it('drops those first that were not asked for longest', () => {
    const cache = new ResponseCache(30_000, () => 0);
    for (const name of ['a', 'b', 'c']) cache.keep(name, `wallet of ${name}`, answer(8_000), 1_000);
    cache.find('a', 1_000);
    cache.keep('d', 'w', answer(8_000), 1_000);
    expect(['a', 'b', 'c', 'd'].map((name) => cache.find(name, 1_000) !== undefined)).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  it('keeps nothing that is larger than all of it, and counts a replaced one once', () => {
    const cache = new ResponseCache(20_000, () => 0);
    for (let count = 0; count < 9; count++) cache.keep('a', 'w', answer(5_000), 1_000);
    expect(cache.find('a', 1_000)).toBeDefined();
    cache.keep('b', 'w', answer(50_000), 1_000);
    expect(cache.find('b', 1_000)).toBeUndefined();
  });

  it('gives a wallet half of it at most, so that nobody pushes out the answers of others', () => {
    const cache = new ResponseCache(40_000, () => 0);
    cache.keep('of another', 'v', answer(10_000), 1_000);
    for (let count = 0; count < 50; count++) cache.keep(`mine ${count}`, 'w', answer(8_000), 1_000);
    const mine = Array.from({ length: 50 }, (_, count) => cache.find(`mine ${count}`, 1_000));
    expect(mine.filter((found) => found !== undefined)).toHaveLength(2);
    expect(mine.at(-1)).toBeDefined();
    expect(cache.find('of another', 1_000)).toBeDefined();
  });
});

describe('nameRequestBody', () => {
  const facts = { walletId: 'w', endpoint: '/v1', model: 'm', stream: false, framing: 'sse', headers: {} };
  const name = (body: string, changes: Partial<typeof facts> = {}) =>
    nameRequestBody(Buffer.from(body), { ...facts, ...changes });

  it('is the same whatever the order of members and the space between them', () => {
    expect(name('{"a": {"c": 1, "d": [2]},\n "b": null}')).toBe(name('{"b":null,"a":{"d":[2],"c":1}}'));
  });

  it.each([
    ['{"a":1}', '{"a":"1"}'],
    ['{"a":9007199254740993}', '{"a":9007199254740992}'],
    ['{"a":1}', '[["a",1]]'],
    ['{"a":{"number":"1"}}', '{"a":1}'],
    ['{"a":[1,2]}', '{"a":[2,1]}'],
    ['{"a":null}', '{}'],
    ['{"a":{"members":[]}}', '{"a":{}}'],
  ])('tells %s from %s', (one, other) => {
    expect(name(one)).not.toBe(name(other));
  });

  it('is another one for another wallet, model, endpoint or framing', () => {
    const names = [
      {},
      { walletId: 'x' },
      { model: 'x' },
      { endpoint: 'x' },
      { stream: true },
      { framing: 'x' },
    ];
    const headers = { headers: { 'anthropic-beta': 'x' } } as Partial<typeof facts>;
    expect(new Set([...names, headers].map((changes) => name('{}', changes))).size).toBe(7);
  });

  it('M5: tells long lists apart by their bytes, and puts no members of theirs in order', () => {
    const list = (members: string) => `{"a":[${'1,'.repeat(100_000)}{${members}}]}`;
    const parse = vi.spyOn(JSON, 'parse');
    expect(name(list('"b":1,"c":2'))).toBe(name(list('"b":1,"c":2')));
    expect(name(list('"b":1,"c":2'))).not.toBe(name(list('"b":1,"c":3')));
    expect(parse).not.toHaveBeenCalled();
    parse.mockRestore();
  });

  it('is the same whatever the order of the members of a long conversation', () => {
    const say = (turn: object) => JSON.stringify({ messages: Array.from({ length: 500 }, () => turn) });
    const content = 'What do you say to that? '.repeat(10);
    expect(name(say({ role: 'user', content }))).toBe(name(say({ content, role: 'user' })));
  });

  it('is none for a long body', () => {
    expect(name(`{"a":"${'x'.repeat(300_000)}"}`)).toBeUndefined();
  });
});
