import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { createAnthropic } from '../../clients/chat/anthropic.js';
import { request } from '../../clients/gateway-client.js';
import { KEYS } from '../../deployment/credentials.js';
import type { Deployment } from '../../deployment/deployment.js';
import { CLOUDS } from '../../deployment/clouds.js';
import { LOOK_ALIKES } from '../../deployment/look-alikes.js';
import { slugOver, upstreamModelOver, type Wire, WIRES } from '../../deployment/wires.js';

const BETAS = 'claude-code-20250219,interleaved-thinking-2025-05-14,fine-grained-tool-streaming-2025-05-14';

/** Those of them that other clouds know of. */
const BETAS_ABROAD = ['interleaved-thinking-2025-05-14', 'fine-grained-tool-streaming-2025-05-14'];

const CLAUDES_ABROAD = ['bedrock-claude', 'vertex-claude'];
const NO_CLAUDES = ['chat', 'responses', 'gemini', 'bedrock-nova', 'deepseek'];
const ALL_WIRES = [...WIRES, ...CLOUDS, ...LOOK_ALIKES];
/** Every protocol, Anthropic's in every place, and a provider that refuses loops without their thoughts. */
const WORKPLACES = [...WIRES.map(({ name }) => name), ...CLAUDES_ABROAD, 'bedrock-nova', 'deepseek'];

/** Rules of a project as agents repeat them with each call: tens of kilobytes. */
const RULES = Array.from(
  { length: 400 },
  (_, index) => `Rule ${index}: keep "quotes" and \\n as they are. 🧡`,
);

const EDIT_TOOL = {
  name: 'Edit',
  description: 'Replaces a text in a file.',
  strict: true,
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Absolute path' },
      edits: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          properties: {
            old: { type: 'string' },
            new: { type: 'string' },
            all: { type: 'boolean', default: false },
          },
          required: ['old', 'new', 'all'],
          additionalProperties: false,
        },
      },
    },
    required: ['file_path', 'edits'],
    additionalProperties: false,
  },
} as const;

const READ_TOOL = {
  name: 'Read',
  description: 'Reads a file.',
  input_schema: {
    type: 'object',
    properties: { file_path: { type: 'string' }, limit: { type: 'integer', exclusiveMinimum: 0 } },
    required: ['file_path'],
    additionalProperties: false,
  },
  cache_control: { type: 'ephemeral' },
} as const;

/** The body of an agent's call, fields and habits included. */
function composeBody(model: string, messages: readonly unknown[]) {
  return {
    model,
    max_tokens: 8_192,
    system: [
      { type: 'text', text: 'You are a coding agent.', cache_control: { type: 'ephemeral' } },
      { type: 'text', text: RULES.join('\n'), cache_control: { type: 'ephemeral', ttl: '1h' } },
    ],
    tools: [EDIT_TOOL, READ_TOOL],
    thinking: { type: 'enabled', budget_tokens: 4_000 },
    metadata: { user_id: `user_${'a'.repeat(64)}_account__session_${'b'.repeat(36)}` },
    messages,
  };
}

const EDIT_CALL = {
  type: 'tool_use',
  name: 'Edit',
  input: { file_path: 'sample', edits: [{ old: 'sample', new: 'sample', all: true }] },
};

const ASK = {
  role: 'user',
  content: [
    { type: 'text', text: '<system-reminder>\nToday is Monday.\n</system-reminder>' },
    { type: 'text', text: 'Fix the typo in a.ts', cache_control: { type: 'ephemeral' } },
  ],
};

/** `/v1/messages` as coding agents send it, whatever the channel speaks. */
export function describeCodingAgents(get: () => Deployment): void {
  describe('coding agents', () => {
    it.each(WORKPLACES)('work over %s', async (name) => {
      const model = slugOver(wireNamed(name), 'thinks-and-calls');
      const messages: unknown[] = [ASK];
      for (const results of [answerCalls, sayGoOn, answerCalls]) {
        const { content } = await stream(composeBody(model, messages));
        messages.push({ role: 'assistant', content }, results(content));
      }
      const [first, second, third] = [1, 3, 5].map((at) => (messages[at] as Anthropic.Message).content);
      for (const content of [first, third]) {
        expect(content?.[0]).toMatchObject({ type: 'thinking', thinking: expect.stringContaining('river') });
        const calls = content?.filter((block) => block.type === 'tool_use');
        expect(calls).toMatchObject([EDIT_CALL, { name: 'Read', input: { file_path: 'sample', limit: 1 } }]);
      }
      expect(second).toMatchObject([{ type: 'thinking' }, { type: 'text' }]);
      const answer = await stream(composeBody(model, messages));
      expect(answer.stop_reason).toBe('end_turn');
      const body = get().upstream.calls.at(-1)?.rawBody.toString() ?? '';
      for (const text of ['Rule 399:', 'Today is Monday.', 'No such file', 'const a = 1;']) {
        expect(body).toContain(text);
      }
    });

    it('reach an Anthropic channel with their own bytes and headers', async () => {
      const raw = JSON.stringify(composeBody(slugOver(wireNamed('anthropic'), 'plain'), [ASK]), undefined, 1);
      const answer = await post('/v1/messages?beta=true', raw);
      expect(answer).toMatchObject({ status: 200 });
      const call = get().upstream.calls.at(-1);
      const renamed = raw.replace(
        slugOver(wireNamed('anthropic'), 'plain'),
        upstreamModelOver(wireNamed('anthropic'), 'plain'),
      );
      expect(call?.rawBody.toString()).toBe(renamed);
      expect(call?.headers['anthropic-beta']).toBe(BETAS);
      expect(call?.headers['anthropic-version']).toBe('2023-06-01');
      expect(answer.headers.get('x-gateway-dropped')).toBeNull();
    });

    it.each(CLAUDES_ABROAD)(
      'reach %s with all they said, and the betas that are known there',
      async (name) => {
        const wire = wireNamed(name);
        const said = composeBody(slugOver(wire, 'plain'), [ASK]);
        expect(await post('/v1/messages?beta=true', JSON.stringify(said))).toMatchObject({ status: 200 });
        const call = get().upstream.calls.at(-1);
        const { model: _, ...body } = said;
        expect(call?.body).toMatchObject(body);
        const header = call?.headers['anthropic-beta'];
        expect(call?.body?.['anthropic_beta'] ?? String(header).split(',')).toEqual(BETAS_ABROAD);
        expect(call?.headers['anthropic-version']).toBeUndefined();
      },
    );

    it.each(NO_CLAUDES)('tell no other channel of their betas: %s', async (name) => {
      const wire = wireNamed(name);
      const answer = await post('/v1/messages', JSON.stringify(composeBody(slugOver(wire, 'plain'), [ASK])));
      expect(answer).toMatchObject({ status: 200 });
      const call = get().upstream.calls.at(-1);
      expect(Object.keys(call?.headers ?? {})).not.toContain('anthropic-beta');
      expect(Object.keys(call?.headers ?? {})).not.toContain('anthropic-version');
      expect(call?.rawBody.toString()).not.toContain('cache_control');
    });

    it('count the tokens of all that', async () => {
      const {
        max_tokens: _,
        metadata: __,
        ...body
      } = composeBody(slugOver(wireNamed('gemini'), 'plain'), [ASK]);
      const answer = await post('/v1/messages/count_tokens?beta=true', JSON.stringify(body));
      expect(answer).toMatchObject({ status: 200 });
      expect(JSON.parse(answer.text)).toEqual({ input_tokens: expect.any(Number) });
      expect((JSON.parse(answer.text) as { input_tokens: number }).input_tokens).toBeGreaterThan(4_000);
    });
  });

  async function stream(body: unknown): Promise<Anthropic.Message> {
    const client = createAnthropic(get());
    const options = { headers: { 'anthropic-beta': BETAS } };
    return client.messages.stream(body as Anthropic.MessageStreamParams, options).finalMessage();
  }

  function post(path: string, body: string) {
    return request(get(), path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEYS.main}`,
        'content-type': 'application/json',
        'anthropic-version': '2023-06-01',
        'anthropic-beta': BETAS,
      },
      body,
    });
  }
}

/** The first call fails, the second brings blocks of text. */
function answerCalls(content: readonly Anthropic.ContentBlock[]): unknown {
  const [first, second] = content.filter((block) => block.type === 'tool_use');
  return {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: first?.id, is_error: true, content: 'No such file' },
      {
        type: 'tool_result',
        tool_use_id: second?.id,
        content: [{ type: 'text', text: 'const a = 1;' }],
        cache_control: { type: 'ephemeral' },
      },
    ],
  };
}

function sayGoOn(): unknown {
  return { role: 'user', content: 'Go on' };
}

function wireNamed(name: string): Wire {
  const wire = ALL_WIRES.find((candidate) => candidate.name === name);
  if (!wire) throw new Error(`no wire is named ${name}`);
  return wire;
}
