import { PassThrough } from 'node:stream';
import { JsonScanner, parseRequestBody } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { expect, it, vi } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { readJsonBody } from './read-json-body.js';

/** Characters of JSON that are parsed in one step. */
const LONGEST_PIECE = 80 * 1024;

function post(text: string): FastifyRequest {
  const raw = new PassThrough();
  raw.end(text);
  const headers = { 'content-type': 'application/json', 'content-length': String(text.length) };
  const routeOptions = { config: { protocol: 'openai-chat' } };
  return { raw, headers, routeOptions, url: '/v1/chat/completions' } as unknown as FastifyRequest;
}

it('M5: a body of thousands of different names is parsed in steps, however few bytes it has', async () => {
  const names = Array.from({ length: 9_000 }, (_, at) => `"n${at}":1`).join(',');
  const text = `{"model":"m","metadata":[${Array.from({ length: 4 }, () => `{${names}}`).join(',')}]}`;
  expect(text.length).toBeLessThan(512 * 1024);
  const parsed = vi.spyOn(JSON, 'parse');
  const body = await readJsonBody(post(text), new BodyBudget(1024 * 1024).open('t'));
  const value = parseRequestBody(body);
  const longest = Math.max(0, ...parsed.mock.calls.map(([piece]) => piece.length));
  parsed.mockRestore();
  expect(longest).toBeLessThan(LONGEST_PIECE);
  expect(value).toEqual(JSON.parse(text));
});

it('M5: a body of nothing but numbers is scanned a little at a time, each where a turn has room for it', async () => {
  const SCANNED = 16 * 1024;
  const text = `{"model":"m","metadata":[${'1,'.repeat(250_000)}1]}`;
  const scanned = vi.spyOn(JsonScanner.prototype, 'push');
  const turns = vi.spyOn(globalThis, 'setImmediate');
  let nowMs = performance.now();
  // Each look at the clock takes two milliseconds, of the four that there are in a turn.
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (nowMs += 2));
  const body = await readJsonBody(post(text), new BodyBudget(1024 * 1024).open('t'));
  const lengths = scanned.mock.calls.map(([bytes]) => bytes.length);
  const taken = turns.mock.calls.length;
  clock.mockRestore();
  turns.mockRestore();
  scanned.mockRestore();
  expect(body.toString()).toBe(text);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(text.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(SCANNED);
  expect(taken).toBeGreaterThan(text.length / SCANNED / 2);
});
