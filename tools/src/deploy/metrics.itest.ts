import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '@mg/contract';
import { startBillingPlane } from '@mg/plane-billing';
import { startConsolePlane } from '@mg/plane-console';
import { startInferencePlane } from '@mg/plane-inference';
import { startVideoPlane } from '@mg/plane-video';
import { createLogger, type RunningPlane } from '@mg/runtime';
import { startTestServices, type TestServices } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listExpressions, listLabelNames, listMetricNames } from './read-promql.js';

const API_KEY = 'sk-metrics-0123456789abcdef0123456789abcdef';
const CONFIGURATION = `
admin: { email: admin@example.com, password: a-password-of-enough-characters }
wallets: [{ name: first, balance: '1.00' }]
tokens: [{ name: first, wallet: first, key: ${API_KEY} }]
`;
const STARTED_WITHIN_MS = 20_000;

/** What Prometheus adds to everything that it reads, and what it knows by itself. */
const OF_PROMETHEUS = { labels: ['job', 'instance', 'le'], metrics: ['up'] };

let services: TestServices;
let directory: string;
const planes: RunningPlane[] = [];
/** Every metric of every plane, and the labels of its samples, where it has some yet. */
const shown = new Map<string, Set<string>>();

beforeAll(async () => {
  services = await startTestServices();
  directory = await mkdtemp(join(tmpdir(), 'mg-metrics-'));
  await writeFile(join(directory, 'gateway.yaml'), CONFIGURATION);
  const environment = readEnvironment({
    HOST: '127.0.0.1',
    GATEWAY_PORT: '0',
    CONSOLE_PORT: '0',
    BILLING_PORT: '0',
    VIDEO_WORKER_PORT: '0',
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    DATA_DIR: directory,
    GATEWAY_CONFIG: join(directory, 'gateway.yaml'),
    METRICS_ENABLED: 'true',
    JWT_SECRET: 'a-signing-secret-of-enough-characters',
    ENCRYPTION_KEY: 'an-encryption-key-of-enough-characters',
  });
  const logger = createLogger({ plane: 'test', level: 'silent' });
  for (const start of [startBillingPlane, startConsolePlane, startInferencePlane, startVideoPlane]) {
    planes.push(await start({ environment, logger }));
  }
  await vi.waitFor(makeCall, { timeout: STARTED_WITHIN_MS, interval: 200 });
  for (const { address } of planes) readMetrics(await (await fetch(`${address}/metrics`)).text());
});

afterAll(async () => {
  for (const plane of planes.toReversed()) await plane.close();
  await services.stop();
  await rm(directory, { recursive: true, force: true });
});

/** A stream of a simulated model: something to count. */
async function makeCall(): Promise<void> {
  const gateway = planes.find(({ name }) => name === 'gateway');
  const answer = await fetch(`${gateway?.address}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox-chat',
      stream: true,
      messages: [{ role: 'user', content: 'Hi' }],
    }),
  });
  expect(await answer.text()).toContain('[DONE]');
}

function readMetrics(text: string): void {
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const endings = type === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    for (const ending of endings) shown.set(`${name}${ending}`, shown.get(`${name}${ending}`) ?? new Set());
  }
  for (const [, name = '', list = ''] of text.matchAll(/^(\w+)\{(.*)\} \S+$/gm)) {
    for (const [, label = ''] of list.matchAll(/(\w+)="/g)) shown.get(name)?.add(label);
  }
}

describe('the alerts and the dashboards', () => {
  it('ask for metrics that the planes show', () => {
    const asked = new Set(listExpressions().flatMap(listMetricNames));
    const missing = [...asked].filter((name) => !shown.has(name) && !OF_PROMETHEUS.metrics.includes(name));
    expect(missing).toEqual([]);
  });

  it('ask for labels that these metrics have', () => {
    const wrong = listExpressions().flatMap((expression) => {
      const labels = listMetricNames(expression).map((name) => shown.get(name));
      if (labels.some((names) => names === undefined || names.size === 0)) return [];
      const known = new Set([...OF_PROMETHEUS.labels, ...labels.flatMap((names) => [...(names ?? [])])]);
      return listLabelNames(expression)
        .filter((name) => !known.has(name))
        .map((name) => `${name} of ${expression}`);
    });
    expect(wrong).toEqual([]);
  });

  it('leave no metric of ours out', () => {
    const asked = new Set(listExpressions().flatMap(listMetricNames));
    const unseen = [...shown.keys()].filter(
      (name) =>
        /^(gateway|billing|video|console)_/.test(name) && !asked.has(name) && !/_(sum|count)$/.test(name),
    );
    expect(unseen).toEqual([]);
  });
});
