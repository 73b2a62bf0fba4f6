import { expect } from 'vitest';
import type { Attack } from './attack.js';
import { exchangeBytes, listStatuses } from './raw-http.js';

const CONSOLE_PATHS = ['/api/v1/users', '/api/v1/channels', '/api/v1/tokens'];
const GATEWAY_PATHS = ['/v1/models', '/v1/usage', '/v1/videos'];
const SPOOFED = [
  'x-forwarded-for: 127.0.0.1',
  'x-original-url: /healthz',
  'x-rewrite-url: /healthz',
  'x-forwarded-host: localhost',
  'forwarded: for=127.0.0.1;host=localhost',
  'x-http-method-override: OPTIONS',
];

/** The same path as another parser may read it. */
function listVariants(path: string): readonly string[] {
  return [
    path,
    `${path}/`,
    `/${path}`,
    path.replace('/v1', '/%761'),
    path.replace('/v1', '/v1;x=1'),
    path.toUpperCase(),
    `${path}%00`,
    `${path}%20`,
    `${path}/..;/healthz`,
    `/healthz/..${path}`,
    `/docs/../${path.slice(1)}`,
    `http://localhost${path}`,
    `${path}#/healthz`,
    `${path}?/healthz`,
  ];
}

export const dodgeAuthentication: Attack = {
  threats: ['T14'],
  title: 'no way to write a path and no header gets past authentication',
  async run({ deployment }) {
    const planes = [
      [deployment.gatewayUrl, GATEWAY_PATHS],
      [deployment.consoleUrl, CONSOLE_PATHS],
    ] as const;
    for (const [url, paths] of planes) {
      for (const line of paths.flatMap(listVariants)) {
        for (const header of ['x-none: x', ...SPOOFED]) {
          const bytes = `GET ${line} HTTP/1.1\r\nhost: x\r\n${header}\r\nconnection: close\r\n\r\n`;
          const reply = await exchangeBytes(url, bytes);
          expect(listStatuses(reply), `${line} with ${header}`).not.toContain(500);
          expect(reply, `${line} with ${header}`).not.toContain('"data"');
        }
      }
    }
  },
};
