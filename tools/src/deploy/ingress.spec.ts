import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, ROOT } from '../architecture-tests/workspace.js';
import { readCompose } from './read-compose.js';

const TEMPLATE = readFileSync(join(ROOT, 'deploy/ingress/nginx.conf.template'), 'utf8');
const COMPOSE = readCompose();
/** Without what is said about it. */
const DIRECTIVES = TEMPLATE.replaceAll(/^\s*#.*$/gm, '');

/** Directives that name what nginx writes; each has a default outside /tmp. */
const WRITTEN = [
  'pid',
  ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path`),
];

/** Variables that the image of nginx fills in by itself. */
const OF_THE_IMAGE = ['NGINX_LOCAL_RESOLVERS'];

/** The arguments of a directive, at each place where it stands. */
function valuesOf(directive: string): string[] {
  return [...DIRECTIVES.matchAll(new RegExp(`^\\s*${directive}\\s+([^;]+);`, 'gm'))].map(
    ([, value = '']) => value,
  );
}

/** In mebibytes, of all bodies that endpoints of the gateway take. */
function findLargestBody(): number {
  const texts = listFiles('libs/planes/inference/src', /(?<!spec)\.ts$/).map((path) =>
    readFileSync(join(ROOT, path), 'utf8'),
  );
  const limits = texts.flatMap((text) => [
    ...[...text.matchAll(/\bmaxBytes: (\d+) \* MEBIBYTE/g)].map(([, size]) => Number(size)),
    ...[...text.matchAll(/\bMAX_JSON_BYTES = (\d+) \* MEBIBYTE/g)].map(([, size]) => Number(size)),
  ]);
  expect(limits.length).toBeGreaterThan(3);
  return Math.max(...limits);
}

describe('the ingress', () => {
  const { ingress } = COMPOSE.services;

  it('is given every variable of its template', () => {
    const names = new Set([...TEMPLATE.matchAll(/\$\{([A-Z_]+)\}/g)].map(([, name = '']) => name));
    const given = [...Object.keys(ingress?.environment ?? {}), ...OF_THE_IMAGE];
    expect([...names].filter((name) => !given.includes(name))).toEqual([]);
    expect(ingress?.environment.NGINX_ENTRYPOINT_LOCAL_RESOLVERS).toBe('true');
  });

  it('engines 1: runs with its own configuration, and writes in /tmp alone, which is the only place that is its own', () => {
    expect(ingress?.command).toEqual(['nginx', '-c', '/tmp/nginx.conf', '-g', 'daemon off;']);
    expect(ingress?.environment.NGINX_ENVSUBST_OUTPUT_DIR).toBe('/tmp');
    expect(ingress?.tmpfs).toEqual(['/tmp']);
    const written = WRITTEN.flatMap(valuesOf);
    expect(written).toHaveLength(WRITTEN.length);
    expect(written.filter((path) => !path.startsWith('/tmp/'))).toEqual([]);
  });

  it('engines 5: holds thousands of calls, two connections each', () => {
    const [connections = 0] = valuesOf('worker_connections').map(Number);
    const [workers = 0] = valuesOf('worker_processes').map(Number);
    const [files = 0] = valuesOf('worker_rlimit_nofile').map(Number);
    expect((workers * connections) / 2).toBeGreaterThanOrEqual(4_000);
    expect(files).toBeGreaterThan(connections);
  });

  it('asks for the names of gateways again and again', () => {
    expect(valuesOf('resolver')).toEqual(['${NGINX_LOCAL_RESOLVERS} valid=1s ipv6=off']);
    expect(valuesOf('proxy_pass')).toEqual(['$gateway']);
  });

  it('takes every body that the gateway takes', () => {
    const [largest = '0'] = valuesOf('client_max_body_size');
    expect(largest).toMatch(/^\d+m$/);
    expect(Number.parseInt(largest, 10)).toBeGreaterThan(findLargestBody());
  });

  it('holds nothing back, and gives long answers their time', () => {
    expect(valuesOf('proxy_buffering')).toEqual(['off']);
    expect(valuesOf('proxy_request_buffering')).toEqual(['off']);
    expect(valuesOf('proxy_http_version')).toEqual(['1.1']);
    expect(valuesOf('proxy_read_timeout')).toEqual(['1h']);
  });

  it('sends no call twice', () => {
    expect(valuesOf('proxy_next_upstream')).toEqual(['error timeout']);
  });

  it('passes on the wish for a WebSocket, and for no other protocol', () => {
    const headers = Object.fromEntries(valuesOf('proxy_set_header').map((value) => value.split(/\s+/, 2)));
    expect(headers).toMatchObject({ Connection: '$upgrade_connection', Upgrade: '$upgrade' });
    const [, wishes = ''] = /map \$http_upgrade \$upgrade \{([^}]*)\}/.exec(DIRECTIVES) ?? [];
    expect(wishes.trim().split(/\s*;\s*/)).toEqual(["default ''", '~*^websocket$ websocket', '']);
    // At every path, realtime sessions among them: no location has headers of its own instead.
    const locations = [...DIRECTIVES.matchAll(/location ([^{]*?)\s*\{([^}]*)/g)];
    const proxied = locations.filter(([, , body = '']) => body.includes('proxy_pass'));
    expect(proxied.map(([, path]) => path)).toEqual(['/']);
  });

  it.each(['plain', 'tls'])(
    'has a file for INGRESS_MODE=%s, and keeps keys out of images and of the repository',
    (mode) => {
      const text = readFileSync(join(ROOT, `deploy/ingress/${mode}.conf`), 'utf8').replaceAll(/^#.*$/gm, '');
      const directives = text.trim().split(/;\s*/).filter(Boolean);
      expect(directives.some((line) => line === 'listen 8443 ssl')).toBe(mode === 'tls');
      expect(readFileSync(join(ROOT, '.dockerignore'), 'utf8')).toContain('deploy/ingress/tls\n');
      expect(readFileSync(join(ROOT, '.gitignore'), 'utf8')).toContain('deploy/ingress/tls/\n');
    },
  );

  it('passes on nothing that callers say of their own address', () => {
    const headers = Object.fromEntries(valuesOf('proxy_set_header').map((value) => value.split(/\s+/, 2)));
    expect(headers).toMatchObject({
      Forwarded: "''",
      'X-Forwarded-For': '$remote_addr',
      'X-Real-IP': '$remote_addr',
    });
  });

  it('passes on no /metrics that everybody may read', () => {
    expect(COMPOSE.services.gateway?.environment.METRICS_TOKEN).toMatch(/^\$\{METRICS_TOKEN:\?/);
  });

  it('writes no query string down, which may hold a key', () => {
    const [format = ''] = valuesOf('log_format');
    expect(format).toContain('$uri');
    expect(format).not.toMatch(/\$(request|args|query_string|request_uri|http_referer)\b/);
    expect(valuesOf('error_log')).toEqual(['/dev/stderr emerg']);
    expect(valuesOf('access_log')).toEqual(['/dev/stdout calls']);
  });
});
