import type Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { createAnthropic } from '../../clients/chat/anthropic.js';
import { createGoogle } from '../../clients/chat/gemini.js';
import { createOpenAi } from '../../clients/openai-client.js';
import { CLOUDS } from '../../deployment/clouds.js';
import type { Deployment } from '../../deployment/deployment.js';
import { LOOK_ALIKES } from '../../deployment/look-alikes.js';
import { slugOver, WIRES } from '../../deployment/wires.js';

const IMAGE = 'https://example.com/mill.png';
const PRIVATE_IMAGE = 'https://127.0.0.1/mill.png';
const PDF = Buffer.from('%PDF-1.7 of a mill').toString('base64');
const TEXT = 'What do you see?';

/** Images by URL and documents as bytes, from each SDK: what arrives is looked for in the upstream's own bytes. */
const SENDERS: readonly (readonly [
  sdk: string,
  send: (deployment: Deployment, model: string, image?: string) => Promise<unknown>,
])[] = [
  [
    'openai (chat)',
    (deployment, model, image = IMAGE) =>
      createOpenAi(deployment).chat.completions.create({
        model,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: TEXT },
              { type: 'image_url', image_url: { url: image } },
              {
                type: 'file',
                file: { filename: 'mill.pdf', file_data: `data:application/pdf;base64,${PDF}` },
              },
            ],
          },
        ],
      }),
  ],
  [
    'openai (responses)',
    (deployment, model, image = IMAGE) =>
      createOpenAi(deployment).responses.create({
        model,
        input: [
          {
            role: 'user',
            content: [
              { type: 'input_text', text: TEXT },
              { type: 'input_image', image_url: image, detail: 'auto' },
              {
                type: 'input_file',
                filename: 'mill.pdf',
                file_data: `data:application/pdf;base64,${PDF}`,
              },
            ],
          },
        ],
      }),
  ],
  [
    'anthropic',
    (deployment, model, image = IMAGE) =>
      createAnthropic(deployment).messages.create({
        model,
        max_tokens: 64,
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: TEXT },
              { type: 'image', source: { type: 'url', url: image } },
              {
                type: 'document',
                source: { type: 'base64', media_type: 'application/pdf', data: PDF },
              },
            ],
          },
        ],
      }),
  ],
  [
    'google',
    (deployment, model, image = IMAGE) =>
      createGoogle(deployment).models.generateContent({
        model,
        contents: [
          {
            role: 'user',
            parts: [
              { text: TEXT },
              { fileData: { fileUri: image, mimeType: 'image/png' } },
              { inlineData: { mimeType: 'application/pdf', data: PDF } },
            ],
          },
        ],
      }),
  ],
];

const PAIRS = SENDERS.flatMap(([sdk, send]) => WIRES.map((wire) => ({ sdk, send, wire, over: wire.name })));

/** Providers that take only bytes, although others of their protocol fetch by themselves. */
const FETCHED = SENDERS.flatMap(([sdk, send]) =>
  [...CLOUDS, ...LOOK_ALIKES]
    .filter(({ name }) => ['bedrock-claude', 'vertex-claude', 'ollama'].includes(name))
    .map((wire) => ({ sdk, send, wire, over: wire.name })),
);

export function describeMediaAndThoughts(get: () => Deployment): void {
  describe('media', () => {
    it.each(PAIRS)('of $sdk reach $over: an image by URL and a PDF', async ({ send, wire }) => {
      await send(get(), slugOver(wire, 'plain'));
      const sent = get().upstream.calls.at(-1)?.rawBody.toString() ?? '';
      expect(sent).toContain(IMAGE);
      expect(sent).toContain(PDF);
      expect(sent).toContain(TEXT);
    });
  });

  describe('media by URL', () => {
    it.each(FETCHED)('of $sdk are fetched for $over, from public addresses', async ({ send, wire }) => {
      const { length } = get().upstream.calls;
      const sending = send(get(), slugOver(wire, 'plain'), PRIVATE_IMAGE);
      await expect(sending).rejects.toThrow(/public address/);
      expect(get().upstream.calls).toHaveLength(length);
    });
  });

  describe('thoughts of messages', () => {
    const question = { role: 'user' as const, content: 'Go on' };
    const redacted: Anthropic.MessageParam = {
      role: 'assistant',
      content: [
        { type: 'redacted_thinking', data: 'c2VjcmV0IHRob3VnaHQ=' },
        { type: 'text', text: 'Hello.' },
      ],
    };

    it.each(WIRES)('that are redacted stay with their own provider, over $name', async (wire) => {
      const answer = await createAnthropic(get()).messages.create({
        model: slugOver(wire, 'plain'),
        max_tokens: 64,
        messages: [question, redacted, question],
      });
      expect(answer.stop_reason).toBe('end_turn');
      const sent = get().upstream.calls.at(-1)?.rawBody.toString() ?? '';
      expect(sent.includes('c2VjcmV0IHRob3VnaHQ=')).toBe(wire.name === 'anthropic');
      expect(sent).toContain('Hello.');
    });

    it.each(WIRES)('are asked for adaptively, over $name', async (wire) => {
      const answer = await createAnthropic(get()).messages.create({
        model: slugOver(wire, 'thinks'),
        max_tokens: 4_096,
        thinking: { type: 'adaptive' },
        messages: [question],
      });
      expect(answer.content.map(({ type }) => type)).toContain('thinking');
    });
  });
}
