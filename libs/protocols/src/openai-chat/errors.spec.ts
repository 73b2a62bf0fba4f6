import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.js';
import { encodeFault, parseOpenAiError, readFaultObject, renderOpenAiError } from './errors.js';

describe('renderOpenAiError', () => {
  it('mirrors the detail, in the words of the upstream', () => {
    const error = new GatewayError('invalid_request', 'prompt is too long: 201000 tokens > 200000 maximum');
    expect(renderOpenAiError(error, 'r')).toMatchObject({
      detail: { code: 'invalid_request' },
      error: { code: 'invalid_request', message: error.message, type: 'invalid_request_error' },
    });
  });
});

describe('readFaultObject', () => {
  it.each([
    [
      '{"error":{"message":"no","type":"server_error","code":"overloaded"}}',
      'no',
      'server_error',
      'overloaded',
    ],
    ['{"object":"error","message":"no","type":"BadRequestError","code":400}', 'no', 'BadRequestError', '400'],
    ['{"error":"no"}', 'no', undefined, undefined],
    ['{"detail":"no"}', 'no', undefined, undefined],
  ])('reads %s', (body, message, type, code) => {
    expect(readFaultObject(JSON.parse(body) as JsonObject)).toEqual({ message, type, code });
  });

  it.each(['', '<html>', '[]', '{}', '{"error":7}'])('finds nothing in %j', (body) => {
    expect(parseOpenAiError(body).message).toBeUndefined();
  });
});

describe('parseOpenAiError', () => {
  const wrong = [{ type: 'extra_forbidden', loc: ['body', 'seed'], msg: 'Extra inputs are not permitted' }];

  it.each([
    ['a list', { detail: wrong }, 'seed: Extra inputs are not permitted', 'seed'],
    [
      'a list in a message',
      { object: 'error', message: { detail: wrong }, param: null },
      'seed: Extra inputs are not permitted',
      'seed',
    ],
    ['a list without places', { detail: [{ msg: 'no' }] }, 'no', undefined],
    ['an empty list', { detail: [] }, undefined, undefined],
    ['a text', { error: { message: 'no', param: 'seed' } }, 'no', 'seed'],
  ])('reads %s', (_, body, message, param) => {
    expect(parseOpenAiError(JSON.stringify(body))).toEqual({ message, param });
  });

  const ofGoogle = (code: number, status: string, detail: object) => ({
    error: { code, message: 'no', status, details: [{ '@type': 'x' }, detail] },
  });

  it.each([
    [
      'a wrong key',
      ofGoogle(400, 'INVALID_ARGUMENT', { reason: 'API_KEY_INVALID' }),
      { code: 'API_KEY_INVALID' },
    ],
    ['a limit', ofGoogle(429, 'RESOURCE_EXHAUSTED', { retryDelay: '34.5s' }), { retryAfterMs: 34_500 }],
  ])("reads %s as Google's endpoint for clients of OpenAI says it, in an array or not", (_, body, said) => {
    for (const one of [body, [body]]) {
      expect(parseOpenAiError(JSON.stringify(one))).toEqual({ message: 'no', ...said });
    }
  });
});

describe('encodeFault', () => {
  it('has every member that SDKs read', () => {
    expect(encodeFault({ message: 'no', type: undefined, code: undefined })).toEqual({
      error: { message: 'no', type: 'api_error', code: 'upstream_error', param: null },
    });
  });
});
