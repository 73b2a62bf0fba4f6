import { describe, expect, it } from 'vitest';
import type { OutgoingRequest, SigningContext } from '../signing.js';
import { signBedrockRequest } from './sign-bedrock-request.js';

const REQUEST: OutgoingRequest = {
  method: 'POST',
  url: new URL(
    'https://bedrock-runtime.us-east-1.amazonaws.com/model/us.anthropic.claude-opus-4-1-20250805-v1%3A0/invoke',
  ),
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('{"max_tokens":1}'),
} as unknown as OutgoingRequest;

function sign(settings: object, apiKey?: string): Promise<OutgoingRequest> {
  const context = {
    apiKey,
    settings: { region: 'us-east-1', ...settings },
    nowMs: Date.UTC(2026, 10, 21),
    obtainToken: () => Promise.reject(new Error('no token is exchanged')),
  };
  return signBedrockRequest(REQUEST, context as unknown as SigningContext);
}

const KEYS = {
  access_key_id: 'AKIDEXAMPLE',
  secret_access_key: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
};

describe('signBedrockRequest', () => {
  it('signs type, host and date for the service, the path encoded once more', async () => {
    const { headers } = await sign(KEYS);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-amz-date': '20261121T000000Z' });
    expect(headers.authorization).toBe(
      'AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20261121/us-east-1/bedrock/aws4_request, ' +
        'SignedHeaders=content-type;host;x-amz-date, ' +
        'Signature=5cd34a9794629cc0a636a78b85c6dadf9fb12c095bd1e1271700f6953a6dc48c',
    );
  });

  it('sends and signs a session token', async () => {
    const { headers } = await sign({ ...KEYS, session_token: 'the-session' });
    expect(headers['x-amz-security-token']).toBe('the-session');
    expect(headers.authorization).toContain(
      'SignedHeaders=content-type;host;x-amz-date;x-amz-security-token,',
    );
  });

  it('prefers an API key', async () => {
    expect((await sign(KEYS, 'the-key')).headers).toMatchObject({ authorization: 'Bearer the-key' });
  });

  it('refuses a channel without either', async () => {
    await expect(sign({})).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });
});
