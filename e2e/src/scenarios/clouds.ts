import { formatUsd } from '@mg/contract';
import type { UpstreamCall } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { anthropic } from '../clients/chat/anthropic.js';
import type { ChatClient, Conversation, Setup } from '../clients/chat/conversation.js';
import { openaiChat } from '../clients/chat/openai-chat.js';
import { request } from '../clients/gateway-client.js';
import { CLOUDS } from '../deployment/clouds.js';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { slugOver, upstreamModelOver, type Wire } from '../deployment/wires.js';
import { expectedCost } from '../expected-cost.js';
import { TOOLS } from './protocols/tools.js';
import { waitForLog } from './protocols/wait-for-log.js';

const PAIRS = CLOUDS.flatMap((cloud) =>
  [openaiChat, anthropic].map((client) => ({ title: `${client.name} over ${cloud.name}`, client, cloud })),
);

/** How each cloud is to be asked: where, and by which credential. */
const ADDRESSES: Readonly<Record<string, { whole: RegExp; stream: RegExp; credential: RegExp }>> = {
  'bedrock-claude': {
    whole: /^\/model\/anthropic\.claude-[^/]+\/invoke$/,
    stream: /\/invoke-with-response-stream$/,
    credential: /^AWS4-HMAC-SHA256 Credential=.+\/eu-west-1\/bedrock\/aws4_request/,
  },
  'bedrock-nova': {
    whole: /^\/model\/us\.amazon\.nova-2-lite-v1%3A0[^/]*\/converse$/,
    stream: /\/converse-stream$/,
    credential: /^Bearer /,
  },
  'vertex-gemini': {
    whole: /\/publishers\/google\/models\/gemini-[^/]+:generateContent$/,
    stream: /:streamGenerateContent$/,
    credential: /^Bearer /,
  },
  'vertex-claude': {
    whole: /\/publishers\/anthropic\/models\/claude-[^/]+:rawPredict$/,
    stream: /:streamRawPredict$/,
    credential: /^Bearer /,
  },
  'azure-chat': {
    whole: /^\/openai\/deployments\/gpt-4o[^/]*\/chat\/completions$/,
    stream: /\/chat\/completions$/,
    credential: /^sk-/,
  },
  'azure-responses': {
    whole: /^\/openai\/v1\/responses$/,
    stream: /^\/openai\/v1\/responses$/,
    credential: /^sk-/,
  },
};

/** Clouds that count tokens of these models; the fake ones count a thousand too much, as no tokenizer does. */
const COUNTING: ReadonlySet<string> = new Set(['bedrock-claude', 'vertex-claude', 'vertex-gemini']);

/** Clouds that serve other makers' models: the same answers, bills and failures as from the makers themselves. */
export function describeClouds(get: () => Deployment): void {
  describe.each(PAIRS)('$title', ({ client, cloud }) => {
    const address = ADDRESSES[cloud.name] ?? { whole: /^$/, stream: /^$/, credential: /^$/ };

    it('answers in full, where and as the cloud wants to be asked', async () => {
      const conversation = open('cached-prompt', { system: 'Be brief.' });
      conversation.ask({ text: 'Hello there' });
      const reply = await conversation.run({ stream: false });
      const call = findCall('cached-prompt');
      expect(reply).toMatchObject({ calls: [], stop: client.stops.end, counts: countsOf(call) });
      expect(reply.text).toMatch(/^The river runs .* who wait$/);
      expect(reply.headers['x-gateway-cost']).toBe(formatUsd(expectedCost(call)));
      expect(call.path).toMatch(address.whole);
      expect(String(call.headers.authorization ?? call.headers['api-key'])).toMatch(address.credential);
    });

    it('streams, and charges what the upstream metered', async () => {
      const conversation = open('plain');
      conversation.ask({ text: 'Hello there' });
      const pieces: string[] = [];
      const reply = await conversation.run({ stream: true, onText: (piece) => pieces.push(piece) });
      const call = findCall('plain');
      expect(pieces.length).toBeGreaterThan(10);
      expect(reply).toMatchObject({ stop: client.stops.end, counts: countsOf(call) });
      expect(call.path).toMatch(address.stream);
      const log = await waitForLog(get(), reply.headers);
      expect(log).toMatchObject({
        estimated: false,
        cost: formatUsd(expectedCost(call)),
        reason: 'completed',
      });
    });

    it.each([false, true])('calls tools and goes on with their results, streamed: %s', async (stream) => {
      const conversation = open('two-tool-calls', { tools: TOOLS });
      conversation.ask({ text: 'How is Paris, and how late is it in Rome?' });
      const first = await conversation.run({ stream });
      expect(first).toMatchObject({
        calls: [
          { name: 'get_weather', args: { city: 'sample' } },
          { name: 'get_time', args: { zone: 'sample', precise: true } },
        ],
        stop: client.stops.calls,
      });
      conversation.answerCalls(['sunny in Paris', 'noon in Rome']);
      const second = await conversation.run({ stream });
      expect(second).toMatchObject({ text: 'The tool said: noon in Rome', stop: client.stops.end });
    });

    it("passes the upstream's refusal on as a bad request", async () => {
      const failure = await fail('error-400-context', false);
      expect(failure).toMatchObject({ status: 400, kind: client.kinds.badRequest });
      expect(failure.message).toContain('maximum context length is 8192 tokens');
    });

    it('calls a failure of the upstream one', async () => {
      expect(await fail('error-500', true)).toMatchObject({ status: 502, kind: client.kinds.upstream });
    });

    it('throws in mid-stream what the upstream said', async () => {
      const conversation = open('error-event-in-stream');
      conversation.ask({ text: 'Hello there' });
      await expect(conversation.run({ stream: true })).rejects.toThrow(
        /upstream failed in mid-stream: The server had an error while processing/,
      );
    });

    function open(behaviour: string, setup: Omit<Setup, 'model'> = {}): Conversation {
      return client.open(get(), { model: slugOver(cloud, behaviour), ...setup });
    }

    function findCall(behaviour: string): UpstreamCall {
      return findLastCall(get(), cloud, behaviour);
    }

    async function fail(behaviour: string, stream: boolean) {
      const conversation = open(behaviour);
      conversation.ask({ text: 'Hello there' });
      return readFailure(client, conversation.run({ stream }));
    }
  });

  it.each(CLOUDS)('$name counts tokens where its provider does', async (cloud) => {
    const answer = await request(get(), '/v1/messages/count_tokens', {
      method: 'POST',
      headers: { 'x-api-key': KEYS.main, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: slugOver(cloud, 'plain'),
        messages: [{ role: 'user', content: 'How many tokens may this question have?' }],
      }),
    });
    const isCounted = COUNTING.has(cloud.name);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-gateway-estimated')).toBe(isCounted ? null : 'true');
    const { input_tokens: tokens } = JSON.parse(answer.text) as { input_tokens: number };
    expect(tokens > 1_000).toBe(isCounted);
  });

  it('bring the thoughts of a Converse model back to it, signed as they were', async () => {
    const [, nova] = CLOUDS;
    if (!nova) throw new Error('there is no model behind Converse');
    const model = slugOver(nova, 'thinks-and-calls');
    const conversation = anthropic.open(get(), { model, tools: TOOLS, think: true });
    conversation.ask({ text: 'How is Paris?' });
    const first = await conversation.run({ stream: true });
    expect(first.thoughts).toMatch(/^The river runs/);
    conversation.answerCalls(['sunny in Paris', 'noon in Rome']);
    expect(await conversation.run({ stream: true })).toMatchObject({ text: 'The tool said: noon in Rome' });
    const { rawBody } = findLastCall(get(), nova, 'thinks-and-calls');
    expect(rawBody.toString()).toMatch(/"reasoningText":\{"text":"The river runs[^}]+"signature":"[^"]+"/);
  });
}

function findLastCall(deployment: Deployment, cloud: Wire, behaviour: string): UpstreamCall {
  const model = upstreamModelOver(cloud, behaviour);
  const call = deployment.upstream.calls.findLast((seen) => seen.model === model);
  if (!call) throw new Error(`the upstream was never asked for ${model}`);
  return call;
}

function countsOf({ promptTokens, cachedTokens, completionTokens }: UpstreamCall) {
  return { input: promptTokens, cached: cachedTokens, output: completionTokens };
}

async function readFailure(client: ChatClient, running: Promise<unknown>) {
  const outcome = await running.then(
    (reply) => ({ reply }),
    (error: unknown) => ({ failure: client.readFailure(error) }),
  );
  if ('failure' in outcome) return outcome.failure;
  throw new Error(`expected a failure, got ${JSON.stringify(outcome.reply)}`);
}
