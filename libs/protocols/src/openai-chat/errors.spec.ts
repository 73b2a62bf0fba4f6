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
});

describe('encodeFault', () => {
  it('has every member that SDKs read', () => {
    expect(encodeFault({ message: 'no', type: undefined, code: undefined })).toEqual({
      error: { message: 'no', type: 'api_error', code: 'upstream_error', param: null },
    });
  });
});
