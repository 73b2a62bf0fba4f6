import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';
import { monolith } from '../deployment/monolith.js';
import { REPOSITORY } from '../deployment/repository.js';
import { OPENAI, slugOver, type Wire, WIRES } from '../deployment/wires.js';
import { type Agent, AGENTS, GEMINI_WITHOUT_MODEL } from './agents.js';
import { type GuideTask, GUIDE_TASKS } from './guide-tasks.js';
import { type SdkTask, SDK_TASKS } from './sdk-tasks.js';
import { openOutside, type Outside } from './outside.js';
import { readGuide } from './read-guide.js';
import { runClient } from './run-client.js';
import { openSessionDoor, type SessionDoor, SESSION_TASKS } from './sessions.js';
import { UNNAMED_MODELS } from './unnamed-models.js';

/** Folder in which `npm run clients` has installed the clients; without it those run that come with the repository. */
const INSTALLED = process.env.CLIENTS_DIRECTORY;
const HAS_PYTHON = process.env.CLIENTS_PYTHON === '1';
const KINDS: readonly Wire[] = [...WIRES, OPENAI];
const TEXT = 'fox';
const SHELL = '/bin/sh';
/** How the upstream begins an answer in words. */
const ANSWER = 'The river runs';

let deployment: Deployment;
let outside: Outside;
let directory: string;
beforeAll(async () => {
  deployment = await monolith.start();
  outside = await openOutside();
  directory = await mkdtemp(join(tmpdir(), 'mg-clients-'));
});
afterAll(async () => {
  await deployment.stop();
  outside.close();
  await rm(directory, { recursive: true, force: true });
});

async function makeFolder(name: string): Promise<string> {
  const folder = join(directory, name.replaceAll(/\W/g, '-'));
  await mkdir(folder, { recursive: true });
  return folder;
}

/** What came of a client's work. */
interface Outcome {
  /** What is in the file that it was to write, or what it said in the place of that. */
  readonly made?: string;
  /** Hosts that it called beside the gateway. */
  readonly called: readonly string[];
}

const BEHAVIOUR = 'writes-a-file';

async function writeFileBy(
  agent: Agent,
  wire: Wire,
  installed: string,
  apiKey: string = KEYS.main,
): Promise<Outcome> {
  const name = `${agent.name} ${wire.name}`;
  const folder = await makeFolder(`${name} work`);
  const home = await makeFolder(`${name} home`);
  execFileSync('git', ['init', '--quiet', folder]);
  const path = join(folder, 'made.txt');
  const model = slugOver(wire, BEHAVIOUR);
  const prompt = `Write the file ${path} with the text: ${TEXT}`;
  const connection = { gatewayUrl: deployment.gatewayUrl, apiKey, model };
  const { parameters, env } = await agent.prepare({ ...connection, prompt, home });
  const text = agent.write?.(connection) ?? readGuide(agent.name, connection);
  outside.takeHosts();
  const output = await runClient({
    program: SHELL,
    programs: join(installed, dirname(agent.program)),
    parameters: ['-e', '-c', [text, ...parameters.map(quote)].join(' ')],
    env: { ...outside.env, HOME: home, ...env },
    folder,
  });
  const made = existsSync(path) ? (await readFile(path, 'utf8')).trim() : `nothing. It said: ${output}`;
  return {
    made,
    called: outside.takeHosts().filter((host) => !(agent.asksForPackages && isPackageRegistry(host))),
  };
}

/** A helper, and where it finds the model that it is to use. */
interface HelperRun {
  readonly helper: SdkTask;
  readonly kind: string;
  readonly env: Readonly<Record<string, string>>;
}

async function runHelper({ helper, kind, env: added }: HelperRun): Promise<Outcome> {
  const { name, file, python } = helper;
  const home = await makeFolder(`${name} ${kind}`);
  const source = join(REPOSITORY, 'e2e/src/clients-matrix/helpers', file);
  let script = source;
  if (INSTALLED && !python) {
    // Modules are looked for where the script stands.
    script = join(INSTALLED, 'npm', file);
    await copyFile(source, script);
  }
  const program = python ? join(INSTALLED ?? '', 'python', python, 'bin/python') : process.execPath;
  const env = {
    GATEWAY_URL: deployment.gatewayUrl,
    GATEWAY_KEY: KEYS.main,
    ...outside.env,
    ...added,
    HOME: home,
  };
  outside.takeHosts();
  await runClient({ program, parameters: [script], env, folder: home });
  return { called: outside.takeHosts() };
}

/** Runs a script of Connect as it is shown. @returns what it printed, and whom it called beside the gateway. */
async function runGuide({ name, runs, env }: GuideTask, wire: Wire, installed: string) {
  const home = await makeFolder(`${name} shown`);
  const connection = {
    gatewayUrl: deployment.gatewayUrl,
    apiKey: KEYS.main,
    model: slugOver(wire, 'plain'),
  };
  // Modules are looked for where a script of Node stands.
  const folder = runs === 'node' ? join(installed, 'npm') : home;
  const script = join(folder, `${name.replaceAll(/\W/g, '-')}.mjs`);
  await writeFile(script, readGuide(name, connection));
  const python = join(installed, 'python', runs, 'bin/python');
  const program = runs === 'sh' ? SHELL : runs === 'node' ? process.execPath : python;
  outside.takeHosts();
  const said = await runClient({
    program,
    parameters: [script],
    env: { ...outside.env, HOME: home, ...env },
    folder: home,
  });
  return { said, called: outside.takeHosts() };
}

/** What `npm run clients` prints a table of: the name of the client, and what it ran over. */
const cross = <Client extends { readonly name: string }>(clients: readonly Client[]) =>
  clients.flatMap((client) => KINDS.map((wire) => [client.name, wire.name, client, wire] as const));

describe.runIf(INSTALLED)('agents', () => {
  it.each(cross(AGENTS.filter(({ program }) => HAS_PYTHON || !program.startsWith('python/'))))(
    '%s over %s',
    async (_name, _kind, agent, wire) => {
      expect(await writeFileBy(agent, wire, INSTALLED ?? '')).toEqual({ made: TEXT, called: [] });
    },
  );
});

describe.runIf(INSTALLED)('agents that name no model of ours', () => {
  const [chat] = WIRES;
  it.each(UNNAMED_MODELS.map(({ name, prepare }) => [name, chat?.name, prepare] as const))(
    '%s over %s',
    async (name, _kind, prepare) => {
      if (!chat) throw new Error('There is no such kind of upstream.');
      const apiKey = await prepare(deployment, slugOver(chat, BEHAVIOUR));
      const agent = { ...GEMINI_WITHOUT_MODEL, name };
      expect(await writeFileBy(agent, chat, INSTALLED ?? '', apiKey)).toEqual({ made: TEXT, called: [] });
    },
  );
});

describe('helpers of SDKs', () => {
  const runnable = SDK_TASKS.filter(({ isInRepository, python }) =>
    INSTALLED === undefined ? isInRepository : python === undefined || HAS_PYTHON,
  );
  it.each(cross(runnable))('%s over %s', async (_name, kind, helper, wire) => {
    const env = { MODEL: slugOver(wire, helper.behaviour ?? 'plain') };
    expect(await runHelper({ helper, kind, env })).toEqual({ called: [] });
  });
});

describe.runIf(INSTALLED)('texts of Connect', () => {
  const runnable = GUIDE_TASKS.filter(({ runs }) => HAS_PYTHON || runs === 'sh' || runs === 'node');
  it.each(runnable.map((task) => [task.name, OPENAI.name, task] as const))(
    '%s over %s',
    async (_name, _kind, task) => {
      const { said, called } = await runGuide(task, OPENAI, INSTALLED ?? '');
      expect({ said, called }).toEqual({ said: expect.stringContaining(task.prints ?? ANSWER), called: [] });
    },
  );
});

describe.runIf(INSTALLED)('sessions', () => {
  let door: SessionDoor;
  beforeAll(async () => {
    door = await openSessionDoor(deployment, directory);
  });
  afterAll(() => door.close());

  const runnable = SESSION_TASKS.filter(({ python }) => python === undefined || HAS_PYTHON);
  it.each(runnable.map((task) => [task.name, task.kind, task] as const))(
    '%s over %s',
    async (_name, kind, helper) => {
      const env = { ...door.env, GATEWAY_URL: door.url, MODEL: helper.model };
      expect(await runHelper({ helper, kind, env })).toEqual({ called: [] });
    },
  );
});

/** A word of a shell. */
function quote(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function isPackageRegistry(host: string): boolean {
  return host.startsWith('registry.');
}
