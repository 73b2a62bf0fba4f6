import { GoogleGenAI } from '@google/genai';
import { describe, expect, it } from 'vitest';
import { createAnthropic } from '../src/clients/chat/anthropic.js';
import { createOpenAi, HELLO } from '../src/clients/openai-client.js';
import { KEYS } from '../src/deployment/credentials.js';
import type { Deployment } from '../src/deployment/deployment.js';
import { pathOf, send, TWELVE } from './endpoints.js';

/** Where each version stands in the path. */
const PREFIXES: readonly (readonly [prefix: string, endpoints: readonly number[]])[] = [
  ['/v1/', [2, 3, 5, 6, 7, 8, 12]],
  ['/v1beta/', [4]],
  ['/videonative/api/v3/', [10]],
];

/** Specification, section 9: versioning. */
export function describeVersioning(get: () => Deployment): void {
  describe('section 9, versioning', () => {
    it.each(PREFIXES)(
      '9: %s is the version of its endpoints, and without it there are none',
      async (prefix, numbers) => {
        for (const endpoint of TWELVE.filter(({ number }) => numbers.includes(number ?? 0))) {
          const path = pathOf(endpoint, 'plain');
          expect(path.startsWith(prefix)).toBe(true);
          const rest = path.slice(prefix.length);
          for (const other of [`/${rest}`, `/v2/${rest}`, `/v1/v1/${rest}`]) {
            const headers = { 'content-type': 'application/json' };
            const answer = await send(get(), 'POST', other, { body: '{}', headers });
            expect([other, answer.status]).toEqual([other, 404]);
          }
        }
      },
    );

    it('9: client libraries use {base_url}/v1 as their base URL', async () => {
      const client = createOpenAi(get(), KEYS.rules);
      const chat = await client.chat.completions.create({ model: 'plain', messages: HELLO });
      expect(chat.choices).toHaveLength(1);
      const { data } = await client.embeddings.create({ model: 'embedding/works', input: 'a river' });
      expect(data).toHaveLength(1);
      const images = await client.images.generate({ model: 'image/works', prompt: 'a river' });
      expect(images.data).toHaveLength(1);
      const response = await client.responses.create({ model: 'plain', input: 'Hello there' });
      expect(response.output_text).toContain('The river runs');
    });

    it('contract 4: the SDKs that write the version themselves use {base_url}', async () => {
      const message = await createAnthropic(get(), KEYS.rules).messages.create({
        model: 'plain',
        max_tokens: 100,
        messages: [{ role: 'user', content: 'Hello there' }],
      });
      expect(message.type).toBe('message');
      const google = new GoogleGenAI({ apiKey: KEYS.rules, httpOptions: { baseUrl: get().gatewayUrl } });
      const content = await google.models.generateContent({ model: 'plain', contents: 'Hello there' });
      expect(content.text).toContain('The river runs');
    });
  });
}
