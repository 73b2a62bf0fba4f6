import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { createOpenAi, HELLO } from '../clients/openai-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { expectedCost } from '../expected-cost.js';
import { formatUsd } from '@mg/contract';
import { waitUntil } from '../wait-until.js';

/** Upstreams that speak almost like OpenAI and report their usage, each in its own place. */
const REPORTING = [
  'cached-prompt',
  'hidden-reasoning',
  'unicode-text',
  'huge-answer',
  'deepseek-like',
  'groq-like',
  'xai-like',
  'azure-like',
  'usage-on-every-chunk',
  'usage-in-choice',
  'usage-unasked',
  'odd-splits',
  'byte-by-byte',
  'crlf-framing',
  'no-space-framing',
  'keep-alive-comments',
  'no-final-newline',
  'no-done',
];

/** Upstreams that report nothing one could bill. */
const SILENT = ['usage-never', 'usage-null', 'usage-negative', 'usage-text'];

const MAX_TOKENS = 1_000;

/** Whatever form an upstream's stream takes, the caller reads the same text and pays what the upstream metered. */
export function describeLookAlikes(get: () => Deployment): void {
  describe('streams of look-alikes', () => {
    it.each(REPORTING)('%s: the text arrives whole and costs what the upstream metered', async (model) => {
      const { text, requestId } = await stream(get(), model);
      const call = await get().upstream.waitForCall((seen) => seen.model === model && seen.finished);
      expect(text).toBe(call.producedText);
      const log = await findLog(get(), requestId);
      expect(log).toMatchObject({ cost: formatUsd(expectedCost(call)), estimated: false, status: 200 });
    });

    it.each(SILENT)('%s: usage is counted by a tokenizer and marked estimated', async (model) => {
      const { text, requestId } = await stream(get(), model);
      const call = await get().upstream.waitForCall((seen) => seen.model === model && seen.finished);
      expect(text).toBe(call.producedText);
      const log = await findLog(get(), requestId);
      expect(log.estimated).toBe(true);
      expect(log.usage.output_tokens).toBe(call.completionTokens);
      expect(Math.abs(log.usage.input_tokens - call.promptTokens)).toBeLessThan(16);
    });

    it('absurd figures never cost more than the call was held for', async () => {
      const { requestId } = await stream(get(), 'usage-huge');
      const log = await findLog(get(), requestId);
      expect(Number(log.cost)).toBeLessThan(0.01);
    });
  });
}

async function stream(deployment: Deployment, model: string): Promise<{ text: string; requestId: string }> {
  const { data, response } = await createOpenAi(deployment)
    .chat.completions.create({ model, messages: HELLO, stream: true, max_tokens: MAX_TOKENS })
    .withResponse();
  let text = '';
  for await (const chunk of data) text += chunk.choices.map(readDelta).join('');
  return { text, requestId: response.headers.get('x-request-id') ?? '' };
}

function readDelta({ delta }: OpenAI.Chat.ChatCompletionChunk.Choice): string {
  const vendor = delta as { reasoning_content?: string; reasoning?: string };
  return (vendor.reasoning_content ?? '') + (vendor.reasoning ?? '') + (delta.content ?? '');
}

async function findLog(deployment: Deployment, requestId: string) {
  const console = await ConsoleClient.asAdmin(deployment);
  return waitUntil(`the log of ${requestId}`, () => console.findLog(requestId));
}
