import { GatewayError } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { parseGeminiError } from '../canonical/google-error.js';
import { readFaultObject, renderGeminiError, renderGeminiErrorEvent, writeFault } from './errors.js';

const error = new GatewayError('rate_limited', 'Too many requests.', { retryAfter: 3 });
const fault = (facts: object) => ({ message: 'm', type: undefined, code: undefined, ...facts });

describe('errors in the Gemini dialect', () => {
  it('hold the detail of the specification and what official SDKs read', () => {
    expect(renderGeminiError(error, 'req-1')).toEqual({
      detail: {
        code: 'rate_limited',
        message: 'Too many requests.',
        request_id: 'req-1',
        type: 'rate_limit_error',
        retry_after: 3,
      },
      error: { code: 429, message: 'Too many requests.', status: 'RESOURCE_EXHAUSTED' },
    });
  });

  it('end a stream in the framing that it has', () => {
    expect(renderGeminiErrorEvent(error, 'r')).toMatch(/^data: \{.*\}\r\n\r\n$/);
    expect(JSON.parse(`[{}${renderGeminiErrorEvent(error, 'r', 'json-array')}`)).toHaveLength(2);
  });

  it('always carry a number that SDKs take for an error', () => {
    expect(writeFault(fault({ type: 'overloaded_error' }))).toMatchObject({ error: { code: 503 } });
    expect(writeFault(fault({ code: 'invalid_request' }))).toMatchObject({ error: { code: 400 } });
    expect(writeFault(fault({ message: 'prompt is too long' }))).toMatchObject({ error: { code: 400 } });
    expect(writeFault(fault({}))).toMatchObject({ error: { code: 500, status: 'INTERNAL' } });
  });

  it('say that a prompt is too long in the words by which agents know it', () => {
    const message = 'The input token count exceeds the maximum number of tokens allowed: prompt is too long';
    const long = new GatewayError('invalid_request', 'prompt is too long');
    expect(renderGeminiError(long, 'r')).toMatchObject({
      detail: { message: 'prompt is too long' },
      error: { message },
    });
    expect(writeFault(fault({ message: 'prompt is too long' }))).toMatchObject({ error: { message } });
    expect(writeFault(fault({ message }))).toMatchObject({ error: { message } });
  });

  it('are read from upstreams, wrapped in an array or not', () => {
    const body = {
      error: {
        code: 400,
        message: 'Invalid value.',
        status: 'INVALID_ARGUMENT',
        details: [{ '@type': 'x', fieldViolations: [{ field: 'contents[0].parts' }] }],
      },
    };
    expect(readFaultObject(body)).toEqual({
      message: 'Invalid value.',
      type: 'INVALID_ARGUMENT',
      code: '400',
    });
    for (const json of [body, [body]]) {
      expect(parseGeminiError(JSON.stringify(json))).toEqual({
        message: 'Invalid value.',
        param: 'contents[0].parts',
      });
    }
    const reason = [{ '@type': 'y' }, { reason: 'API_KEY_INVALID', domain: 'googleapis.com' }];
    const wrongKey = { error: { ...body.error, message: 'API key not valid.', details: reason } };
    expect(parseGeminiError(JSON.stringify(wrongKey))).toEqual({
      message: 'API key not valid.',
      code: 'API_KEY_INVALID',
    });
    for (const odd of ['<html>', '{}', '[]', '{"error":"text"}', '7']) {
      expect(parseGeminiError(odd)).toEqual({ message: undefined, param: undefined });
    }
  });
});
