import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurationFileSchema, ENVIRONMENT, type EnvironmentName, readEnvironment } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../architecture-tests/workspace.js';
import { interpolate, listComposeVariables, readCompose } from './read-compose.js';

const PLANES = {
  billing: { port: 'BILLING_PORT', role: 'mg_billing' },
  console: { port: 'CONSOLE_PORT', role: 'mg_console' },
  gateway: { port: 'GATEWAY_PORT', role: 'mg_gateway' },
  'video-worker': { port: 'VIDEO_WORKER_PORT', role: 'mg_video_worker' },
} as const;
type Plane = keyof typeof PLANES;
const NAMES = Object.keys(PLANES) as Plane[];

/** What a plane still does after its drain: give back what it holds, close its connections. */
const CLOSING_MARGIN_SECONDS = 10;

/** Variables that the configuration file names, and provider keys that make a channel appear. */
const NAMED_BY_CONFIGURATION = /^ADMIN_PASSWORD$|_API_KEY$/;

/** What a container has of its own: the port stays, and its name is its host's. */
const LEFT_TO_THE_CONTAINER: readonly EnvironmentName[] = [
  'HOST',
  'GATEWAY_PORT',
  'CONSOLE_PORT',
  'BILLING_PORT',
  'VIDEO_WORKER_PORT',
  'INSTANCE_ID',
];

/**
 * A tmpfs is root's, with the mode of the image's folder: these two are open to everybody in the images, any other
 * wants the user's id.
 */
const WORLD_WRITABLE = new Set(['/tmp', '/var/run/postgresql']);

const compose = readCompose();
const { services } = compose;

function serviceOf(name: string) {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
  return service;
}

/** Values that could stand in somebody's .env. */
const secrets = Object.fromEntries(
  listComposeVariables()
    .filter(({ message }) => message !== undefined)
    .map(({ name }) => [name, `${'0123456789abcdef'.repeat(4)}`]),
);

it.each(['console', 'gateway'])('M6: %s counts by client, not by the proxy before it', (name) => {
  expect(readEnvironment(environmentOf(name)).TRUSTED_PROXIES).toEqual(['172.16.0.0/12']);
});

function environmentOf(name: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(serviceOf(name).environment).map(([key, text]) => [key, interpolate(text, secrets)]),
  );
}

/** What a plane's main asks for. */
function requiredBy(plane: string): EnvironmentName[] {
  const main = readFileSync(join(ROOT, `apps/${plane}/src/main.ts`), 'utf8');
  const [, list = ''] = /required: \[([^\]]*)\]/.exec(main) ?? [];
  return [...list.matchAll(/'(\w+)'/g)].map(([, name]) => name as EnvironmentName);
}

describe('docker-compose.yml', () => {
  it('runs the full stack, and what watches it on demand', () => {
    expect(
      Object.keys(services)
        .filter((name) => serviceOf(name).profiles.length === 0)
        .sort(),
    ).toEqual([...NAMES, 'ingress', 'migrate', 'postgres', 'redis'].sort());
    expect(serviceOf('prometheus').profiles).toEqual(['observability']);
    expect(serviceOf('grafana').profiles).toEqual(['observability']);
  });

  it.each(NAMES)('runs %s by its own main and image, once the schema is there', (plane) => {
    const service = serviceOf(plane);
    expect(service.command).toEqual(['node', `dist/apps/${plane}/main.js`]);
    expect(existsSync(join(ROOT, `apps/${plane}/src/main.ts`))).toBe(true);
    expect(service.image).toBe(`model-gateway-${plane}:\${IMAGE_TAG:-latest}`);
    expect(service.build?.target).toBe(plane);
    expect(service.depends_on).toMatchObject({
      migrate: { condition: 'service_completed_successfully' },
      redis: { condition: 'service_healthy' },
    });
  });

  it.each(NAMES)('gives %s an environment that it accepts, with nothing unknown', (plane) => {
    const environment = environmentOf(plane);
    const unknown = Object.keys(environment).filter(
      (name) => !(name in ENVIRONMENT) && !NAMED_BY_CONFIGURATION.test(name),
    );
    expect(unknown).toEqual([]);
    const required = requiredBy(plane);
    expect(required).toContain('DATABASE_URL');
    expect(() => readEnvironment(environment, required)).not.toThrow();
  });

  it.each(NAMES)('lets %s in by its own name and password alone', (plane) => {
    const { DATABASE_URL = '', REDIS_URL = '' } = serviceOf(plane).environment;
    const prefix = plane.replaceAll('-', '_').toUpperCase();
    expect(DATABASE_URL).toBe(
      `postgres://${PLANES[plane].role}:\${${prefix}_DATABASE_PASSWORD}@postgres:5432/model_gateway`,
    );
    expect(REDIS_URL).toBe(`redis://${plane}:\${${prefix}_REDIS_PASSWORD}@redis:6379`);
  });

  it.each(NAMES)('asks %s for its readiness at the port that it listens on', (plane) => {
    const variable = PLANES[plane].port;
    const [, , , , script = '', ...rest] = serviceOf(plane).healthcheck?.test ?? [];
    expect(existsSync(join(ROOT, script))).toBe(true);
    expect(rest).toEqual([variable, ENVIRONMENT[variable].defaultText]);
  });

  it('has every health check of the stack in the file for newer engines, and no other', () => {
    const text = readFileSync(join(ROOT, 'deploy/compose/quick-checks.yml'), 'utf8');
    const quick = parse(text, { merge: true }) as { services: Record<string, object> };
    const checked = Object.keys(services).filter(
      (name) => serviceOf(name).healthcheck && serviceOf(name).profiles.length === 0,
    );
    expect(Object.keys(quick.services).sort()).toEqual(checked.sort());
    for (const service of Object.values(quick.services)) {
      expect(service).toEqual({ healthcheck: { interval: '60s', start_interval: '1s', retries: 6 } });
    }
  });

  it.each(NAMES)('leaves %s the time to drain', (plane) => {
    const graceSeconds = Number.parseInt(serviceOf(plane).stop_grace_period, 10);
    const drainSeconds = Number(
      environmentOf(plane).DRAIN_TIMEOUT_SECONDS ?? ENVIRONMENT.DRAIN_TIMEOUT_SECONDS.defaultText,
    );
    expect(graceSeconds).toBeGreaterThanOrEqual(drainSeconds + CLOSING_MARGIN_SECONDS);
  });

  it('offers every variable of the planes to somebody', () => {
    const offered = new Set(Object.values(services).flatMap(({ environment }) => Object.keys(environment)));
    const missing = (Object.keys(ENVIRONMENT) as EnvironmentName[]).filter(
      (name) => !offered.has(name) && !LEFT_TO_THE_CONTAINER.includes(name),
    );
    expect(missing).toEqual([]);
  });

  it('can run any plane more than once: no fixed name, no port of the host', () => {
    for (const plane of ['gateway', 'billing', 'video-worker']) {
      expect(serviceOf(plane).ports).toEqual([]);
      expect(serviceOf(plane)).not.toHaveProperty('container_name');
      expect(serviceOf(plane).environment).not.toHaveProperty('INSTANCE_ID');
    }
  });

  it('is entered by the ingress and the Console alone, from this machine unless the operator says more', () => {
    const published = Object.fromEntries(
      Object.entries(services)
        .filter(([, { ports }]) => ports.length > 0)
        .map(([name, { ports }]) => [name, ports]),
    );
    expect(published).toEqual({
      console: ['${CONSOLE_LISTEN:-127.0.0.1:8081}:8081'],
      ingress: ['${INGRESS_LISTEN:-127.0.0.1:8080:8080}'],
      grafana: ['127.0.0.1:3000:3000'],
    });
    expect(compose.networks.data).toEqual({ internal: true });
    for (const name of ['ingress', 'prometheus', 'grafana']) {
      expect(serviceOf(name).networks).not.toContain('data');
    }
  });

  it.each(Object.keys(services))('gives %s no more than it needs', (name) => {
    const service = serviceOf(name);
    expect(service.read_only).toBe(true);
    expect(service.cap_drop).toEqual(['ALL']);
    expect(service.security_opt).toEqual(['no-new-privileges:true']);
    expect(service.mem_limit).toMatch(/^\d+[mg]$/);
    expect(service.logging.options['max-size']).toBe('10m');
    expect(service.networks.filter((network) => !(network in compose.networks))).toEqual([]);
  });

  it.each(Object.keys(services))(
    'engines 1: gives %s folders in memory that its user may write to',
    (name) => {
      const ofRoot = serviceOf(name).tmpfs.filter(
        (mount) => !WORLD_WRITABLE.has(mount) && !/:(.*,)?uid=\d+/.test(mount),
      );
      expect(ofRoot).toEqual([]);
    },
  );

  it('engines 6: lets migrate fail a few times, then says so instead of trying for ever', () => {
    expect(serviceOf('migrate')['restart']).toBe('on-failure:3');
  });

  it.each(Object.keys(services))('mounts into %s what is there', (name) => {
    const sources = serviceOf(name)
      .volumes.filter((volume) => volume.includes(':'))
      .map((volume) => volume.split(':')[0] ?? '');
    const missing = sources.filter((source) =>
      source.startsWith('.') ? !existsSync(join(ROOT, source)) : !(source in compose.volumes),
    );
    expect(missing).toEqual([]);
  });

  it('says what a missing variable is for', () => {
    const silent = listComposeVariables().filter(
      ({ name, message, fallback }) => fallback === undefined && !message?.startsWith(`set ${name}`),
    );
    expect(silent).toEqual([]);
  });

  it('begins with a configuration file that is valid', () => {
    const text = readFileSync(join(ROOT, 'deploy/config/gateway.yaml'), 'utf8');
    const file = parse(text.replaceAll(/\$\{\w+\}/g, 'sk-0123456789'));
    expect(configurationFileSchema.safeParse(file).error).toBe(undefined);
  });
});
