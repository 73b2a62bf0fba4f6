import { EnvironmentError } from '@mg/contract';
import { expect, it } from 'vitest';
import { explainListenError } from './running-plane.js';

it.each([
  ['a port in use', { code: 'EADDRINUSE' }, 'GATEWAY_PORT'],
  ['a port of the system', { code: 'EACCES' }, 'GATEWAY_PORT'],
  ['an address of another machine', { code: 'EADDRNOTAVAIL', address: '192.0.2.1' }, 'HOST: 192.0.2.1'],
  ['a name that nobody knows', { code: 'ENOTFOUND', hostname: 'no.such.host' }, 'HOST: no.such.host'],
])('%s is said in a sentence that names the setting', (_, facts, name) => {
  const explained = explainListenError(Object.assign(new Error('listen'), facts), 'GATEWAY_PORT', 80);
  expect(explained).toBeInstanceOf(EnvironmentError);
  expect(explained.message).toContain(name);
});

it('any other failure stays what it is', () => {
  const error = new Error('no memory');
  expect(explainListenError(error, 'GATEWAY_PORT', 80)).toBe(error);
});
