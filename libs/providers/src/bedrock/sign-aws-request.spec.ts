import { describe, expect, it } from 'vitest';
import { type AwsCredentials, type AwsRequest, signAwsRequest } from './sign-aws-request.js';

const credentials: AwsCredentials = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: undefined,
};
const SESSION_TOKEN =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==';
const scope = { region: 'us-east-1', service: 'service', nowMs: Date.UTC(2015, 7, 30, 12, 36, 0) };

function request(change: Partial<AwsRequest> & { path?: string } = {}): AwsRequest {
  return {
    method: 'GET',
    url: new URL(`https://example.amazonaws.com${change.path ?? '/'}`),
    headers: {},
    body: Buffer.alloc(0),
    ...change,
  };
}

function signatureOf(signed: Record<string, string>): string | undefined {
  return signed.authorization?.split('Signature=')[1];
}

/** Cases of AWS's published test suite, with the signatures it gives. */
const SUITE: readonly [name: string, AwsRequest, signature: string][] = [
  ['get-vanilla', request(), '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  [
    'get-vanilla-query-order-key-case',
    request({ path: '/?Param2=value2&Param1=value1' }),
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  [
    'get-header-value-trim',
    request({ headers: { 'My-Header1': ' value1', 'My-Header2': ' "a   b   c"' } }),
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  [
    'post-vanilla',
    request({ method: 'POST' }),
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  [
    'post-x-www-form-urlencoded',
    request({
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: Buffer.from('Param1=value1'),
    }),
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
];

describe('signAwsRequest', () => {
  it.each(SUITE)('%s', (_, given, signature) => {
    expect(signatureOf(signAwsRequest(given, credentials, scope))).toBe(signature);
  });

  it('post-sts-header-before: signs the session token', () => {
    const signed = signAwsRequest(
      request({ method: 'POST' }),
      { ...credentials, sessionToken: SESSION_TOKEN },
      scope,
    );
    expect(signed['x-amz-security-token']).toBe(SESSION_TOKEN);
    expect(signatureOf(signed)).toBe('85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead');
  });

  it('encodes a path that is encoded already once more, as another implementation (aws4) does', () => {
    const path = '/model/us.anthropic.claude-opus-4-1-20250805-v1%3A0/invoke';
    const signed = signAwsRequest(
      request({
        method: 'POST',
        url: new URL(`https://bedrock-runtime.us-east-1.amazonaws.com${path}`),
        headers: { 'content-type': 'application/json', 'content-length': '16' },
        body: Buffer.from('{"max_tokens":1}'),
      }),
      credentials,
      { region: 'us-east-1', service: 'bedrock', nowMs: Date.UTC(2026, 10, 21) },
    );
    expect(signatureOf(signed)).toBe('f9412f6eb87d7b573c9b1330707a2faa17bcda996b623ec83707e8584a22cd7f');
  });

  it('names scope, headers and date', () => {
    expect(signAwsRequest(request(), credentials, scope)).toEqual({
      'x-amz-date': '20150830T123600Z',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE\/20150830\/us-east-1\/service\/aws4_request, SignedHeaders=host;x-amz-date, Signature=[0-9a-f]{64}$/,
      ),
    });
  });
});
