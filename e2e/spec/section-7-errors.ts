import { omitUndefined } from '@mg/contract';
import type OpenAI from 'openai';
import { toFile } from 'openai';
import { writeSilence } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../src/clients/console-client.js';
import { request } from '../src/clients/gateway-client.js';
import { catchApiError, createOpenAi, HELLO } from '../src/clients/openai-client.js';
import { type Condition, slugWhere } from '../src/deployment/conditions.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { ask, type Ask, BEYOND, type Endpoint, PNG, POLLS, send, TWELVE } from './endpoints.js';
import { expectFailure } from './expect-failure.js';

interface Row {
  readonly status: number;
  readonly meaning: string;
  readonly code: string;
  /** Numbers of the endpoints that the specification names, among those that create something. */
  readonly appliesTo: readonly number[];
  readonly condition?: Condition;
  readonly model?: string;
  readonly key?: string;
}

const EVERY = [2, 3, 4, 5, 6, 7, 8, 10, 12];
const UPSTREAM = [2, 5, 6, 7, 8, 10, 12];

/** Section 7's table, with the code that the operator contract gives each meaning. Endpoints 1, 9 and 11 have rows of their own below. */
const ROWS: readonly Row[] = [
  {
    status: 402,
    meaning: 'insufficient balance',
    code: 'insufficient_balance',
    appliesTo: EVERY,
    key: KEYS.poor,
  },
  {
    status: 403,
    meaning: 'model not authorized',
    code: 'model_not_allowed',
    appliesTo: EVERY,
    key: KEYS.restricted,
  },
  {
    status: 404,
    meaning: 'model does not exist',
    code: 'model_not_found',
    appliesTo: [5, 6, 7, 8, 10, 12],
    model: 'no-such-model',
  },
  {
    status: 404,
    meaning: 'model is not active',
    code: 'model_not_found',
    appliesTo: [5, 6, 7, 8, 10, 12],
    condition: 'retired',
  },
  { status: 429, meaning: 'quota exceeded', code: 'quota_exceeded', appliesTo: EVERY, key: KEYS.rulesSpent },
  { status: 502, meaning: 'upstream error', code: 'upstream_error', appliesTo: UPSTREAM, condition: 'fails' },
  {
    status: 503,
    meaning: 'upstream unavailable',
    code: 'upstream_unavailable',
    appliesTo: UPSTREAM,
    condition: 'unreachable',
  },
];

/** What the operator contract adds for every endpoint that is billed. */
const CONTRACT_ROWS: readonly Row[] = [
  {
    status: 404,
    meaning: 'model has no price',
    code: 'model_not_priced',
    appliesTo: EVERY,
    condition: 'unpriced',
  },
  {
    status: 401,
    meaning: 'unknown key',
    code: 'invalid_api_key',
    appliesTo: EVERY,
    key: 'sk-nobody-00000000',
  },
  { status: 401, meaning: 'disabled key', code: 'invalid_api_key', appliesTo: EVERY, key: KEYS.disabled },
  { status: 401, meaning: 'expired key', code: 'invalid_api_key', appliesTo: EVERY, key: KEYS.expired },
];

const cells = (rows: readonly Row[]) =>
  rows.flatMap((row) =>
    row.appliesTo.map((number) => ({
      ...row,
      number,
      endpoint: TWELVE.find((endpoint) => endpoint.number === number) as Endpoint,
    })),
  );

/** What the specification leaves open, on the endpoints that it leaves out and on those of the contract alone. */
const OTHER_CELLS = ROWS.flatMap((row) =>
  [...TWELVE.filter(({ number }) => !row.appliesTo.includes(number ?? 0)), ...BEYOND].map((endpoint) => ({
    ...row,
    endpoint,
    name: endpoint.name,
  })),
);

/** Before its first byte a stream fails as any other answer does. */
const STREAMED_CELLS = cells(ROWS.map((row) => ({ ...row, appliesTo: [2, 3, 4] })));

/** A model of another kind than the endpoint serves. */
const OTHER_KIND = { chat: 'say', other: 'plain' } as const;

const MODEL = { model: 'no-such-model' } as const;

/** Calls of a model that does not exist, by everything that OpenAI's SDK offers of the endpoints here. */
const SDK_CALLS: readonly (readonly [what: string, call: (client: OpenAI) => Promise<unknown>])[] = [
  ['chat.completions', (client) => client.chat.completions.create({ ...MODEL, messages: HELLO })],
  ['completions', (client) => client.completions.create({ ...MODEL, prompt: 'Hi' })],
  ['responses', (client) => client.responses.create({ ...MODEL, input: 'Hi' })],
  ['embeddings', (client) => client.embeddings.create({ ...MODEL, input: 'Hi' })],
  ['images.generate', (client) => client.images.generate({ ...MODEL, prompt: 'a river' })],
  [
    'images.edit',
    async (client) => client.images.edit({ ...MODEL, prompt: 'a river', image: await imageFile() }),
  ],
  ['audio.speech', (client) => client.audio.speech.create({ ...MODEL, input: 'Hi', voice: 'alloy' })],
  [
    'audio.transcriptions',
    async (client) => client.audio.transcriptions.create({ ...MODEL, file: await recording() }),
  ],
];

const imageFile = () => toFile(PNG, 'picture.png', { type: 'image/png' });
const recording = () => toFile(writeSilence(1), 'speech.wav', { type: 'audio/wav' });

/** Specification, section 7: errors, every status on every endpoint that it applies to. */
export function describeErrorTable(get: () => Deployment): void {
  const refused = new Set<string>();
  const expectCell = async (
    endpoint: Endpoint,
    { status, code, condition, model, key }: Row,
    fields: Ask['fields'] = {},
  ): Promise<void> => {
    const slug = model ?? slugWhere(endpoint.name, condition ?? 'works');
    const answer = await ask(get(), endpoint, omitUndefined({ model: slug, fields, key }));
    expectFailure(answer, endpoint.dialect, { status, code });
    refused.add(answer.headers.get('x-request-id') ?? '');
  };

  describe('section 7, errors', () => {
    it.each(cells(ROWS))('7: $status $meaning on endpoint $number', async ({ endpoint, ...row }) => {
      await expectCell(endpoint, row);
    });

    it.each(cells(CONTRACT_ROWS))(
      'contract 4: $status $meaning on endpoint $number',
      async ({ endpoint, ...row }) => {
        await expectCell(endpoint, row);
      },
    );

    it.each(OTHER_CELLS)('contract 4: $status $meaning on $name', async ({ endpoint, ...row }) => {
      await expectCell(endpoint, row);
    });

    it.each(STREAMED_CELLS)(
      '7: $status $meaning on endpoint $number, streamed',
      async ({ endpoint, ...row }) => {
        await expectCell(endpoint, row, { stream: true });
      },
    );

    it('7: 401 token invalid on endpoint 1', async () => {
      for (const headers of [{}, { authorization: `Bearer ${KEYS.rules}` }, { authorization: 'wrong' }]) {
        const answer = await request(get(), '/metrics', { headers });
        expect(answer.status).toBe(401);
        expect(answer.headers.get('content-type')).toMatch(/^application\/json/);
        expect(answer.failure.detail).toMatchObject({
          code: expect.any(String),
          message: expect.any(String),
          request_id: answer.headers.get('x-request-id'),
        });
      }
    });

    it.each(POLLS)('7: 502 on endpoint $number, for a task that is not there', async ({ path }) => {
      const answer = await send(get(), 'GET', `${path}/no-such-task`);
      expectFailure(answer, 'openai', { status: 502, code: 'task_not_found' });
    });

    it.each(POLLS)('7: endpoint $number does not reveal a task to a stranger', async ({ number, path }) => {
      const endpoint = TWELVE.find((one) => one.number === number - 1) as Endpoint;
      const made = await ask(get(), endpoint);
      const { id } = JSON.parse(made.text) as { id: string };
      const anonymous = await request(get(), `${path}/${id}`);
      expectFailure(anonymous, 'openai', { status: 401, code: 'invalid_api_key' });
    });

    it.each(TWELVE)(
      'contract 4: 404 model_not_found on endpoint $number for a model of another kind',
      async (endpoint) => {
        const isChat = ['chat', 'messages', 'generate'].includes(endpoint.name);
        const answer = await ask(get(), endpoint, { model: isChat ? OTHER_KIND.chat : OTHER_KIND.other });
        expectFailure(answer, endpoint.dialect, { status: 404, code: 'model_not_found', param: 'model' });
      },
    );

    it.each(['/nowhere', '/v1/nowhere', '/v1beta/nowhere', '/videonative/nowhere'])(
      '2.11: a path that is none, %s, has the shape of every error',
      async (path) => {
        const dialect = path.startsWith('/v1beta') ? 'gemini' : 'openai';
        expectFailure(await send(get(), 'GET', path), dialect, { status: 404, code: 'not_found' });
      },
    );

    it.each(SDK_CALLS)('contract 4: the official SDK reads the error of %s in words', async (_, call) => {
      const error = await catchApiError(call(createOpenAi(get(), KEYS.rules)));
      expect(error).toMatchObject({ status: 404, code: 'model_not_found', param: 'model' });
      expect(error.message).toContain('no-such-model');
    });

    it('7, rules 1 to 4: what is refused is not charged', async () => {
      const console = await ConsoleClient.asAdmin(get());
      for (const name of ['rules', 'main', 'poor']) {
        const wallet = await console.findWallet(name);
        const charged = (await console.listEntries(wallet.id)).map((entry) => entry.request_id);
        expect(charged.filter((id) => id !== null && refused.has(id))).toEqual([]);
      }
      expect(refused.size).toBeGreaterThan(cells(ROWS).length);
    });
  });
}
