import { errorBody } from '@mg/testkit';
import { APIError } from 'openai';
import { describe, expect, it } from 'vitest';
import { postChat } from '../clients/gateway-client.js';
import { catchApiError, createOpenAi, HELLO } from '../clients/openai-client.js';
import { KEYS, PROVIDER_KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

interface Case {
  readonly model: string;
  readonly key?: string;
  readonly status: number;
  readonly code: string;
}

/** Every status of the contract's table that a chat can meet. */
const CASES: readonly Case[] = [
  { model: 'plain', key: 'sk-nobody-000000', status: 401, code: 'invalid_api_key' },
  { model: 'plain', key: KEYS.poor, status: 402, code: 'insufficient_balance' },
  { model: 'flat', key: KEYS.restricted, status: 403, code: 'model_not_allowed' },
  { model: 'no-such-model', status: 404, code: 'model_not_found' },
  { model: 'retired', status: 404, code: 'model_not_found' },
  { model: 'unpriced', status: 404, code: 'model_not_priced' },
  { model: 'plain', key: KEYS.spentQuota, status: 429, code: 'quota_exceeded' },
  { model: 'error-400-context', status: 400, code: 'invalid_request' },
  { model: 'error-400-policy', status: 400, code: 'invalid_request' },
  { model: 'error-400-parameter', status: 400, code: 'invalid_request' },
  { model: 'error-404', status: 502, code: 'upstream_error' },
  { model: 'error-500', status: 502, code: 'upstream_error' },
  { model: 'error-502-html', status: 502, code: 'upstream_error' },
  { model: 'garbage-body', status: 502, code: 'upstream_error' },
  { model: 'empty-body', status: 502, code: 'upstream_error' },
  { model: 'truncated-json', status: 502, code: 'upstream_error' },
  { model: 'wrong-content-type', status: 502, code: 'upstream_error' },
  { model: 'error-with-200', status: 502, code: 'upstream_error' },
  { model: 'hang-before-headers', status: 502, code: 'upstream_error' },
  { model: 'reset-before-headers', status: 502, code: 'upstream_error' },
  { model: 'reset-after-headers', status: 502, code: 'upstream_error' },
  { model: 'unreachable', status: 503, code: 'upstream_unavailable' },
];

/** Failures of our account with the provider: the caller learns that the upstream failed, never that a key or a limit did. */
const OUR_ACCOUNT = [
  'error-401',
  'error-402',
  'error-403',
  'error-429',
  'error-429-retry-after',
  'error-503',
  'error-529',
];

/** Failures in words, through the official SDK and in the specification's own shape. */
export function describeErrors(get: () => Deployment): void {
  describe('errors', () => {
    it.each(CASES)('$status $code for $model', async ({ model, key, status, code }) => {
      const client = createOpenAi(get(), key);
      const error = await catchApiError(client.chat.completions.create({ model, messages: HELLO }));
      expect(error).toMatchObject({ status, code });
      expect(error.message).toMatch(/^\d{3} \S.{10,}/);
      expect(error.message).not.toContain('no body');
      expect(error.requestID).toMatch(/^[0-9a-f-]{36}$/);
    });

    it.each(CASES)('$status $code for $model, streamed', async ({ model, key, status, code }) => {
      const client = createOpenAi(get(), key);
      const open = async (): Promise<void> => {
        const stream = await client.chat.completions.create({ model, messages: HELLO, stream: true });
        for await (const chunk of stream) expect(chunk.choices).toBeDefined();
      };
      expect(await catchApiError(open())).toMatchObject({ status, code });
    });

    it.each(OUR_ACCOUNT)('%s of the upstream is ours and reads as 502 or 503', async (model) => {
      const answer = await postChat(get(), { model, messages: HELLO });
      expect([502, 503]).toContain(answer.status);
      expect(answer.failure.detail.message).not.toContain('Incorrect API key');
    });

    it('has the shape of the specification and of the dialect', async () => {
      const answer = await postChat(get(), { model: 'no-such-model', messages: HELLO });
      expect(answer.headers.get('content-type')).toContain('application/json');
      const { detail, error } = answer.failure;
      expect(detail).toMatchObject({ code: 'model_not_found', type: 'not_found_error' });
      expect(detail.request_id).toBe(answer.headers.get('x-request-id'));
      expect(error).toMatchObject({ message: detail.message, code: detail.code });
    });

    it("passes the upstream's own words on when the caller caused the failure", async () => {
      const answer = await postChat(get(), { model: 'error-400-context', messages: HELLO });
      expect(answer.failure.detail).toMatchObject({ upstream_status: 400, param: 'messages' });
      expect(answer.failure.detail.message).toContain('maximum context length');
    });

    it('never passes on a provider key that an upstream repeats', async () => {
      const leak = errorBody(
        `Key ${PROVIDER_KEYS[0]} or ${PROVIDER_KEYS[1]} may not do this.`,
        'invalid_request_error',
        null,
      );
      get().upstream.script('leaky', { failure: { kind: 'reply', status: 400, body: leak } });
      const answer = await postChat(get(), { model: 'leaky', messages: HELLO });
      expect(answer.status).toBe(400);
      for (const key of PROVIDER_KEYS) expect(answer.text).not.toContain(key);
    });

    it('never passes on a provider key that an upstream repeats in mid-stream', async () => {
      const body = errorBody(
        `Key ${PROVIDER_KEYS[0]} or ${PROVIDER_KEYS[1]} has expired.`,
        'server_error',
        null,
      );
      get().upstream.script('leaky', { failure: { kind: 'error-event', afterEvents: 3, body } });
      const answer = await postChat(get(), { model: 'leaky', messages: HELLO, stream: true });
      expect(answer.text).toContain('"error"');
      for (const key of PROVIDER_KEYS) expect(answer.text).not.toContain(key);
    });

    it.each(['error-event-in-stream', 'reset-in-stream', 'end-in-stream', 'hang-in-stream'])(
      '%s reaches the SDK as an error after the text so far',
      async (model) => {
        const stream = await createOpenAi(get()).chat.completions.create({
          model,
          messages: HELLO,
          stream: true,
        });
        let text = '';
        const read = async (): Promise<void> => {
          for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
        };
        await expect(read()).rejects.toBeInstanceOf(APIError);
        expect(text).toBe('The river runs');
      },
    );

    it('ends a failed stream with an error event and no [DONE]', async () => {
      const answer = await postChat(get(), { model: 'end-in-stream', messages: HELLO, stream: true });
      expect(answer.status).toBe(200);
      const last = answer.text.trimEnd().split('\n\n').at(-1) ?? '';
      expect(JSON.parse(last.replace('data: ', ''))).toMatchObject({
        error: { message: expect.any(String) },
      });
      expect(answer.text).not.toContain('[DONE]');
    });
  });
}
