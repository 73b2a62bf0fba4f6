import type { Logger } from '@mg/runtime';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { toGatewayError } from './render-error.js';

const request = { id: 'request-1' } as FastifyRequest;
const logger = { warn: () => undefined, error: () => undefined } as unknown as Logger;

describe('an error that nobody foresaw', () => {
  it.each([
    ['a database out of reach', Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }), 503, 1],
    ['a lock that is not had', Object.assign(new Error('lock timeout'), { code: '55P03' }), 503, 1],
    ['a lost connection to it', new Error('Connection terminated unexpectedly'), 503, 1],
    ['anything else', new TypeError('x is not a function'), 500, undefined],
    ['what is no error at all', 'failed', 500, undefined],
  ])('from %s is told without its words', (_, error, status, retryAfter) => {
    const shown = toGatewayError(error, request, logger);
    expect(shown).toMatchObject({ status, retryAfter });
    expect(shown.message).not.toMatch(/refused|terminated|function|failed$/);
  });
});
