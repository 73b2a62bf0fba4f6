import { once } from 'node:events';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from '@mg/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { JobHttp } from './jobs/job-http.js';
import { fetchModelList } from './probe/fetch-model-list.js';
import { fetchPublic } from './public-web/fetch-public.js';
import { BatchGateway } from './queue/batch-gateway.js';
import { GatewayFiles } from './results/gateway-files.js';
import { S3Results } from './results/s3-results.js';
import { HttpUpstream } from './upstream/http-upstream.js';
import { TokenExchange } from './upstream/token-exchange.js';

const INSTALLATION = '0123456789abcdef';
const TIMEOUTS = { connectMs: 10_000, firstByteMs: 30_000, idleMs: 30_000, totalMs: 30_000 };

/** Asks the server at an address once. */
const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  'calls to upstreams': (url) => {
    const upstream = closing(new HttpUpstream(INSTALLATION));
    const asked = { url: new URL(url), headers: {}, body: Buffer.from('{}'), streamed: false };
    return upstream.call({ ...asked, timeouts: TIMEOUTS }).reply;
  },
  'tokens of an account': (url) => new TokenExchange().obtain('key', () => ({ url, form: {} })),
  'jobs of a provider': (url) =>
    closing(new JobHttp(INSTALLATION)).send({ method: 'GET', url: new URL(url), headers: {} }, TIMEOUTS),
  'lists of models': (url) =>
    fetchModelList({ url: new URL(url), headers: {} }, { connectMs: 10_000, totalMs: 30_000 }, INSTALLATION),
  'URLs of callers': (url) => fetchPublic(url, { maxBytes: 1_000, timeoutMs: 30_000, allowPrivate: true }),
  'results in a bucket': (url) => {
    const settings = { endpoint: url, region: 'x', bucket: 'b', accessKeyId: 'id', secretAccessKey: 's' };
    return new S3Results(settings, closing(new JobHttp(INSTALLATION))).remove('0190c2a4-0000.mp4');
  },
  'lines of batches': (url) =>
    closing(new BatchGateway({ digest: () => 'digest' }, url, 1)).send(
      { payer: { keyHash: 'k', walletId: 'w' }, path: '/v1/x', idempotencyKey: 'k', body: '{}', headers: {} },
      AbortSignal.timeout(30_000),
    ),
  'files of the gateway': (url) => closing(new GatewayFiles(url)).open('/v1/files/x/content', {}),
};

function closing<T extends { close(): Promise<void> }>(client: T): T {
  onTestFinished(() => client.close());
  return client;
}

describe('a server that offers HTTP/2 and HTTP/1.1', () => {
  const trusted = getCACertificates('default');
  let server: Http2SecureServer;
  let url: string;
  let versions: string[];

  beforeAll(async () => {
    const certificate = makeCertificate('localhost');
    setDefaultCACertificates([certificate.cert]);
    server = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
      versions.push(request.httpVersion);
      response.setHeader('content-type', 'application/json');
      response.end('{"access_token":"token"}');
    });
    server.listen(0, 'localhost');
    await once(server, 'listening');
    url = `https://localhost:${(server.address() as AddressInfo).port}`;
  });

  beforeEach(() => {
    versions = [];
  });

  afterAll(() => {
    server.close();
    setDefaultCACertificates(trusted);
  });

  it.each(Object.keys(CLIENTS))('is asked over HTTP/1.1 for %s', async (client) => {
    await CLIENTS[client]?.(url);
    expect(versions).toEqual(['1.1']);
  });
});
