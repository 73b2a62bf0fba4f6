import { formatUsd } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { createGoogle } from '../clients/chat/gemini.js';
import { ConsoleClient } from '../clients/console-client.js';
import type { Deployment } from '../deployment/deployment.js';
import { IMAGE_PRICE } from '../deployment/images.js';
import { lineOf } from '../expected-cost.js';
import { waitUntil } from '../wait-until.js';

const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Images asked for in Google's words, of models of kind `image` whoever makes them. */
export function describeGoogleImages(get: () => Deployment): void {
  const generate = (model: string, contents: string | object[] = 'a fox') =>
    createGoogle(get()).models.generateContent({
      model,
      contents: contents as string,
      config: { responseModalities: ['TEXT', 'IMAGE'] },
    });
  const lastCall = () => get().upstream.calls.at(-1);

  describe('images for clients of Google', () => {
    it('are Google’s own answer where Google makes them, billed by its tokens', async () => {
      const answer = await generate('paint-gemini', [
        { text: 'in winter' },
        { inlineData: { mimeType: 'image/jpeg', data: PNG } },
      ]);
      expect(answer.text).toBe('Here it is.');
      expect(answer.data).toBe(PNG);
      expect(lastCall()?.path).toMatch(/gemini-3.1-flash-image:generateContent$/);
      const { promptTokens = 0, imageTokens = 0, completionTokens = 0 } = lastCall() ?? {};
      const cost =
        lineOf(promptTokens - imageTokens, IMAGE_PRICE.input_per_million) +
        lineOf(imageTokens, IMAGE_PRICE.image_input_per_million) +
        lineOf(completionTokens, IMAGE_PRICE.output_per_million);
      expect(answer.sdkHttpResponse?.headers?.['x-gateway-cost']).toBe(formatUsd(cost));
    });

    it.each(['paint-gpt', 'paint-dalle', 'sandbox-image'])(
      'are parts of an answer where others make them: %s',
      async (model) => {
        const answer = await generate(model);
        expect(answer.data).toMatch(/^iVBOR/);
        expect(answer.candidates?.[0]?.finishReason).toBe('STOP');
      },
    );

    it('stream as one event', async () => {
      for (const model of ['paint-gemini', 'paint-gpt']) {
        const stream = await createGoogle(get()).models.generateContentStream({ model, contents: 'a fox' });
        const received: (string | undefined)[] = [];
        for await (const chunk of stream) received.push(chunk.data);
        expect(received).toEqual([PNG]);
      }
    });

    it('that Google would not make are reported as Google does, and cost nothing', async () => {
      const answer = await generate('paint-gemini', 'a forbidden fox');
      expect(answer.promptFeedback?.blockReason).toBe('PROHIBITED_CONTENT');
      const requestId = answer.sdkHttpResponse?.headers?.['x-request-id'] ?? '';
      const console = await ConsoleClient.asAdmin(get());
      expect(await waitUntil('the log', () => console.findLog(requestId))).toMatchObject({ cost: '0' });
    });

    it('are refused by the names that these clients use', async () => {
      await expect(generate('paint-gpt', 'a forbidden fox')).rejects.toMatchObject({ status: 400 });
      const turns = [
        { role: 'user', parts: [{ text: 'a fox' }] },
        { role: 'model', parts: [{ text: 'Which one?' }] },
        { role: 'user', parts: [{ text: 'the red one' }] },
      ];
      await expect(generate('paint-gpt', turns)).rejects.toThrow(/contents may hold one turn/);
    });
  });
}
