import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createGate } from '@mg/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleClient } from '../clients/console-client.js';
import { ADMIN, KEYS } from '../deployment/credentials.js';
import { waitForModel } from '../deployment/knows-model.js';
import { checkStack } from '../drill/check-stack.js';
import { findForbiddenFaults, type Incident } from '../drill/run-stack-drill.js';
import { LOAD_MODELS, StackLoad } from '../drill/stack-load.js';
import { waitUntil } from '../wait-until.js';
import { ask, send } from './call-ingress.js';
import { awaitRecovery, freezeOne, killOne, RECOVERED_WITHIN_MS, SERVICES } from './disturb.js';
import { EngineProject, serviceOf } from './engine-project.js';
import { measureIdle } from './measure-idle.js';
import { HELD_MODEL, type Providers, startProviders } from './serve-callers.js';

/** Set by `npm run engine`: a copy of the repository, on an engine that `docker` speaks to. */
const { ENGINE_PROJECT: FOLDER = '', ENGINE_RESTART = '' } = process.env;
const INGRESS_URL = 'http://127.0.0.1:8080';
const CONSOLE_URL = 'http://127.0.0.1:8081';

const PLANES = ['billing', 'gateway', 'video-worker', 'console'] as const;
const STEP_TIMEOUT_MS = 420_000;
/** Packages are installed and five images built, maybe by two cores that do other things. */
const BUILD_TIMEOUT_MS = 1_200_000;
const PAUSE_BETWEEN_CALLS_MS = 80;
const HEALTHY_WITHIN_MS = 120_000;
const HELD_CALLS = 1_500;
const HEALTH_WITHIN_MS = 2_000;
const WRONG_PASSWORD_WITHIN_MS = 60_000;
/** As stop_grace_period of the planes. */
const STOP_SECONDS = 45;
const IDLE_PERCENT = 3;
/** Streams of three seconds and a half. */
const STREAM = { answer: { tokens: 40 }, stream: { paceMs: 85 } };

/** The lines of the README that make `.env` and start the stack. */
function readDocumentedLines(): string[] {
  const blocks = [...readFileSync(`${FOLDER}/README.md`, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)];
  const [, block = ''] = blocks.find(([text]) => text.includes('docker compose up')) ?? [];
  return block.trim().split('\n');
}

/** How long after a moment the last request that failed was begun: 0 where none did. */
function findLastFault({ outcomes }: StackLoad, sinceMs: number): number {
  const failed = outcomes.filter(({ fault, startedMs }) => fault !== undefined && startedMs >= sinceMs);
  return Math.max(0, ...failed.map(({ startedMs }) => startedMs - sinceMs));
}

describe.skipIf(FOLDER === '')('the compose stack on a container engine (minutes: npm run engine)', () => {
  const project = new EngineProject(FOLDER);
  const startedMs = Date.now();
  let providers: Providers;

  const say = (line: string) => {
    const seconds = Math.round((Date.now() - startedMs) / 1_000);
    // oxlint-disable-next-line no-console -- whoever runs it watches its timeline
    console.log(`${String(seconds).padStart(4)} s  ${line}`);
  };
  const startLoad = () => {
    const load = new StackLoad(INGRESS_URL, PAUSE_BETWEEN_CALLS_MS);
    load.start();
    return load;
  };
  const check = async (load: StackLoad, kills: readonly Incident[]) => {
    const databaseUrl = await project.findDatabaseUrl();
    return checkStack({ load, upstream: providers.upstream, jobs: providers.jobs, databaseUrl, kills });
  };

  beforeAll(async () => {
    providers = await startProviders();
    providers.upstream.script(LOAD_MODELS.stream, STREAM);
  });
  afterAll(() => providers.close());

  it('starts by the two lines of the README', { timeout: BUILD_TIMEOUT_MS }, async () => {
    const [makeEnvironment = '', up = ''] = readDocumentedLines();
    await project.run(makeEnvironment);
    const { code, ms } = await project.run(up);
    expect(code).toBe(0);
    say(`${up}: exit 0 after ${Math.round(ms / 1_000)} s`);
  });

  it('gives no container root, capabilities or a root file system to write to', async () => {
    const running = (await project.list()).filter(({ State }) => State.Running);
    expect(running.length).toBeGreaterThan(PLANES.length);
    for (const { Name, State, HostConfig } of running) {
      const status = readFileSync(`/proc/${State.Pid}/status`, 'utf8');
      const [, user, , effective] = /^Uid:\t(\d+)\t(\d+)[\s\S]*^CapEff:\t([0-9a-f]+)$/m.exec(status) ?? [];
      expect([Name, user === '0', Number(`0x${effective}`)]).toEqual([Name, false, 0]);
      expect([Name, HostConfig.ReadonlyRootfs, HostConfig.CapDrop]).toEqual([Name, true, ['ALL']]);
    }
    say(`${running.length} containers: no root, no capability, read-only`);
  });

  it('serves chats, streams, videos and the Console', { timeout: STEP_TIMEOUT_MS }, async () => {
    const ownKey = { authorization: `Bearer ${project.readVariable('FIRST_API_KEY')}` };
    expect((await fetch(`${INGRESS_URL}/v1/models/sandbox-chat`, { headers: ownKey })).status).toBe(200);
    await providers.configure(project);
    await waitForModel(INGRESS_URL, LOAD_MODELS.video);
    await awaitRecovery(INGRESS_URL);
    const messages = [{ role: 'user', content: 'Hello' }];
    // The other gateway may read its configuration a moment later.
    const stream = await waitUntil('a stream', async () => {
      const call = { model: LOAD_MODELS.call, messages, stream: true };
      const answer = await send(`${INGRESS_URL}/v1/chat/completions`, call);
      return answer.status === 200 && answer;
    });
    expect(stream.text.trimEnd()).toMatch(/data: \[DONE\]$/);
    const order = await send(`${INGRESS_URL}/v1/video/generations`, {
      model: LOAD_MODELS.video,
      prompt: 'a cat',
      duration: 5,
    });
    const { task_id: id } = JSON.parse(order.text) as { task_id: string };
    await waitUntil(
      'the video is made',
      async () => (await send(`${INGRESS_URL}/v1/video/generations/${id}`)).text.includes('"completed"'),
      30_000,
    );
    expect(await (await fetch(CONSOLE_URL)).text()).toContain('<div id="root">');
    const password = project.readVariable('ADMIN_PASSWORD');
    const operator = await ConsoleClient.login({ consoleUrl: CONSOLE_URL }, { ...ADMIN, password });
    expect((await operator.list('/logs')).length).toBeGreaterThan(0);
    say('a chat, a stream, a video, the page and a login');
  });

  it('costs little while nobody calls', { timeout: STEP_TIMEOUT_MS }, async () => {
    const used = await measureIdle(project);
    const sum = [...used.values()].reduce((total, percent) => total + percent, 0);
    const each = [...used].map(([name, percent]) => `${name} ${percent.toFixed(2)}`).join(', ');
    say(`idle: ${sum.toFixed(1)} % of a core in ${used.size} containers (${each})`);
    expect(sum).toBeLessThan(IDLE_PERCENT);
  });

  it(`holds ${HELD_CALLS} calls at once`, { timeout: STEP_TIMEOUT_MS }, async () => {
    const gate = createGate();
    providers.upstream.script(HELD_MODEL, { wait: gate.wait });
    const before = providers.upstream.calls.length;
    const calls = Array.from({ length: HELD_CALLS }, (_, index) =>
      ask(INGRESS_URL, HELD_MODEL, `held ${index}`),
    );
    const countHeld = () => providers.upstream.calls.length - before;
    await waitUntil('all calls wait at the provider', () => countHeld() >= HELD_CALLS, 90_000).catch(() => 0);
    const askedMs = Date.now();
    const health = await fetch(`${INGRESS_URL}/healthz`, { signal: AbortSignal.timeout(HEALTH_WITHIN_MS) });
    const answered = Date.now() - askedMs;
    gate.open();
    const statuses = Map.groupBy(await Promise.all(calls), ({ status }) => status);
    const counts = Object.fromEntries([...statuses].map(([status, { length }]) => [status, length]));
    say(
      `${countHeld()} calls held, /healthz ${health.status} in ${answered} ms, answers ${JSON.stringify(counts)}`,
    );
    expect([health.status, counts]).toEqual([200, { 200: HELD_CALLS }]);
  });

  it.each(SERVICES)(
    'recovers from a killed and a frozen %s',
    { timeout: STEP_TIMEOUT_MS },
    async (service) => {
      const load = startLoad();
      const kills: Incident[] = [];
      for (const [word, act] of [
        ['killed', killOne],
        ['frozen', freezeOne],
      ] as const) {
        const incident = await act(project, service);
        kills.push(incident);
        await awaitRecovery(INGRESS_URL);
        await project.waitUntilReady(service, HEALTHY_WITHIN_MS);
        const ms = findLastFault(load, incident.startedMs);
        say(`${service} ${word}: the last request that failed began ${ms} ms after it`);
        expect(ms).toBeLessThan(RECOVERED_WITHIN_MS);
      }
      await project.waitUntilHealthy(HEALTHY_WITHIN_MS);
      await load.stop();
      const faults = load.outcomes.filter(({ fault }) => fault !== undefined).length;
      say(`${service}: ${load.outcomes.length} requests, ${faults} with a fault`);
      expect(await check(load, kills)).toEqual([]);
    },
  );

  it('stops Redis and planes in the same moment, each with 0', { timeout: STEP_TIMEOUT_MS }, async () => {
    const load = startLoad();
    await awaitRecovery(INGRESS_URL);
    const stopped = (await project.list()).filter(({ Config }) =>
      ['redis', ...PLANES].includes(serviceOf({ Config })),
    );
    const ids = stopped.map(({ Id }) => Id);
    const beganMs = Date.now();
    await Promise.all(ids.map((id) => project.run(`docker stop --time ${STOP_SECONDS} ${id}`)));
    const seconds = Math.round((Date.now() - beganMs) / 1_000);
    const ended = (await project.list()).filter(({ Id }) => ids.includes(Id));
    const codes = Object.fromEntries(ended.map(({ Name, State }) => [Name, State.ExitCode]));
    say(`Redis and ${ids.length - 1} planes stopped in ${seconds} s: ${JSON.stringify(codes)}`);
    expect(Object.values(codes).filter((code) => code !== 0)).toEqual([]);
    await project.run(`docker start ${ids.join(' ')}`);
    await project.waitUntilHealthy(HEALTHY_WITHIN_MS);
    await awaitRecovery(INGRESS_URL);
    await load.stop();
    expect(await check(load, [])).toEqual([]);
  });

  it('is upgraded and taken back without a fault', { timeout: STEP_TIMEOUT_MS }, async () => {
    const names = [...PLANES, 'migrate'].map((plane) => `model-gateway-${plane}`);
    for (const name of names) await project.run(`docker tag ${name}:latest ${name}:next`);
    const load = startLoad();
    await awaitRecovery(INGRESS_URL);
    for (const [line, tag] of [
      ['deploy/compose/upgrade.sh', 'next'],
      ['deploy/compose/upgrade.sh --back', 'latest'],
    ] as const) {
      const { ms } = await project.run(line, { IMAGE_TAG: tag });
      say(`${line}: ${Math.round(ms / 1_000)} s, ${load.outcomes.length} requests`);
    }
    await load.stop();
    expect(findForbiddenFaults(load, [])).toEqual([]);
    expect(await check(load, [])).toEqual([]);
    say(`${load.outcomes.length} requests, no fault`);
  });

  it.skipIf(ENGINE_RESTART === '')(
    'comes back after a restart of the engine',
    { timeout: STEP_TIMEOUT_MS },
    async () => {
      const beganMs = Date.now();
      execFileSync('sh', ['-c', ENGINE_RESTART]);
      await project.waitUntilHealthy(HEALTHY_WITHIN_MS);
      expect(await awaitRecovery(INGRESS_URL)).toBeLessThan(RECOVERED_WITHIN_MS);
      say(`engine restarted: all healthy and served after ${Math.round((Date.now() - beganMs) / 1_000)} s`);
    },
  );

  it(
    'ends with a sentence when the password of the database is wrong',
    { timeout: STEP_TIMEOUT_MS },
    async () => {
      const [, up = ''] = readDocumentedLines();
      const line = up.replace('--build', '--no-build');
      const { code, output, ms } = await project.sh(line, { POSTGRES_PASSWORD: 'a-wrong-one' });
      const { output: log } = await project.run('docker compose logs --no-log-prefix --tail 3 migrate');
      say(`wrong password: exit ${code} after ${Math.round(ms / 1_000)} s: ${log.trim().split('\n').at(-1)}`);
      expect([code === 0, ms < WRONG_PASSWORD_WITHIN_MS]).toEqual([false, true]);
      expect(log).toContain('password');
      expect(log + output).not.toContain(KEYS.main);
    },
  );
});
