import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { baseOf } from './public-base.js';

const gateway = (publicUrl?: string) => ({ publicUrl });

function ask(host: string, localAddress = '10.1.2.3'): FastifyRequest {
  const hostname = host.replace(/:\d+$/, '');
  return { host, hostname, protocol: 'http', socket: { localAddress, localPort: 8080 } } as FastifyRequest;
}

describe('the base of links', () => {
  it('is PUBLIC_URL, whatever a Host header says', () => {
    expect(baseOf(ask('evil.example.com'), gateway('https://gateway.example.com'))).toBe(
      'https://gateway.example.com',
    );
  });

  it.each([
    ['127.0.0.1:18080', 'http://127.0.0.1:18080'],
    ['localhost:8080', 'http://localhost:8080'],
    ['[::1]:8080', 'http://[::1]:8080'],
    ['10.1.2.3:8080', 'http://10.1.2.3:8080'],
    ['evil.example.com', 'http://10.1.2.3:8080'],
    ['evil.example.com:8080', 'http://10.1.2.3:8080'],
    ['localhost.evil.example.com', 'http://10.1.2.3:8080'],
    ['6.6.6.6', 'http://10.1.2.3:8080'],
    ['a@127.0.0.1', 'http://10.1.2.3:8080'],
    ['', 'http://10.1.2.3:8080'],
  ])('without it never is a host that is not this machine: %s', (host, base) => {
    expect(baseOf(ask(host), gateway())).toBe(base);
  });

  it('knows addresses of either version', () => {
    expect(baseOf(ask('evil', '::ffff:10.0.0.9'), gateway())).toBe('http://10.0.0.9:8080');
    expect(baseOf(ask('evil', 'fd00::9'), gateway())).toBe('http://[fd00::9]:8080');
  });
});
