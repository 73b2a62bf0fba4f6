import { type TcpProxy, findFreePorts, createTcpProxy, startTestServices } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slugWhere } from '../src/deployment/conditions.js';
import { KEYS } from '../src/deployment/credentials.js';
import { PlaneProcess } from '../src/deployment/plane-process.js';
import { prepareDeployment, type Preparation } from '../src/deployment/prepare.js';
import { waitUntil } from '../src/wait-until.js';
import { endpointOf, POLLS } from './endpoints.js';

const START_TIMEOUT_MS = 180_000;
const KEY = { authorization: `Bearer ${KEYS.rules}` };

interface Fleet {
  /** A gateway without metrics, and one that shows them to everyone. */
  readonly closed: string;
  readonly open: string;
  readonly billing: PlaneProcess;
  /** The first gateway's line to Postgres. */
  readonly line: TcpProxy;
  stop(): Promise<void>;
}

/** Rules that speak of a setting, or of a gateway that lacks what it needs: those of a deployment that is not like the others. */
describe('the specification, under other settings', () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await startFleet();
  });
  afterAll(() => fleet.stop());

  it('4, rule 1: GET /metrics is 404 while METRICS_ENABLED is off, whoever asks', async () => {
    for (const headers of [{}, KEY]) {
      const answer = await ask(`${fleet.closed}/metrics`, { headers });
      expect(answer).toMatchObject({ status: 404, body: { detail: { code: 'not_found' } } });
    }
  });

  it('4, rule 2: without METRICS_TOKEN the metrics want none', async () => {
    const answer = await fetch(`${fleet.open}/metrics`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toMatch(/^# TYPE /m);
  });

  it('contract 4: without billing nothing is served: 503 service_unavailable, and /readyz says so', async () => {
    expect((await ask(`${fleet.open}/readyz`)).status).toBe(200);
    await fleet.billing.stop();
    const refusals = [2, 5, 8].map(async (number) => {
      const { path, name, fields } = endpointOf(number);
      const { status, body } = await ask(fleet.closed + path, {
        method: 'POST',
        headers: { ...KEY, 'content-type': 'application/json' },
        body: JSON.stringify({ model: slugWhere(name, 'works'), ...fields }),
      });
      return [number, status, body.detail.code];
    });
    expect(await Promise.all(refusals)).toEqual([
      [2, 503, 'service_unavailable'],
      [5, 503, 'service_unavailable'],
      [8, 503, 'service_unavailable'],
    ]);
    await waitUntil(
      'a gateway that is not ready',
      async () => {
        const { status } = await ask(`${fleet.closed}/readyz`);
        return status === 503;
      },
      20_000,
    );
    expect((await ask(`${fleet.closed}/healthz`)).status).toBe(200);
  });

  it.each(POLLS)('7: 503 on endpoint $number when tasks cannot be read', async ({ path }) => {
    expect((await ask(`${fleet.closed}${path}/no-such-task`, { headers: KEY })).status).toBe(502);
    await fleet.line.cut();
    const answer = await ask(`${fleet.closed}${path}/no-such-task`, { headers: KEY });
    await fleet.line.mend();
    expect(answer).toMatchObject({
      status: 503,
      body: {
        detail: { code: 'service_unavailable', retry_after: 1 },
        error: { code: 'service_unavailable' },
      },
    });
    await waitUntil('polls that are answered again', async () => {
      const again = await ask(`${fleet.closed}${path}/no-such-task`, { headers: KEY });
      return again.status === 502;
    });
  });
});

interface Answer {
  readonly status: number;
  readonly body: { readonly detail: { readonly code: string } };
}

async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(20_000), ...init });
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

async function startFleet(): Promise<Fleet> {
  const preparation = await prepareDeployment();
  const services = await startTestServices();
  const line = await createTcpProxy(services.databaseUrl);
  const [port = 0] = await findFreePorts(1);
  const { METRICS_ENABLED: _on, METRICS_TOKEN: _token, ...plain } = preparation.variables;
  const variables = { ...plain, DATABASE_URL: services.databaseUrl, REDIS_URL: services.redisUrl };
  const open = `http://127.0.0.1:${port}`;
  const planes = {
    billing: start('billing', preparation.billingUrl, variables),
    console: start('console', preparation.consoleUrl, variables),
    closed: start('gateway', preparation.gatewayUrl, {
      ...variables,
      DATABASE_URL: line.url,
      INSTANCE_ID: 'closed',
    }),
    open: start('gateway', open, {
      ...variables,
      GATEWAY_PORT: String(port),
      METRICS_ENABLED: 'true',
      INSTANCE_ID: 'open',
    }),
  };
  const stop = async (): Promise<void> => {
    await Promise.all(Object.values(planes).map((plane) => plane.stop()));
    await line.close();
    await services.stop();
    await preparation.cleanUp();
  };
  try {
    await Promise.all(Object.values(planes).map((plane) => plane.waitUntilReady(START_TIMEOUT_MS)));
  } catch (error) {
    await stop();
    throw error;
  }
  return { closed: preparation.gatewayUrl, open, billing: planes.billing, line, stop };
}

function start(name: string, address: string, variables: Preparation['variables']): PlaneProcess {
  return new PlaneProcess(name, variables, `${address}/readyz`);
}
