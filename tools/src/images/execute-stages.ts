import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, isAbsolute, join, matchesGlob, relative } from 'node:path';
import { findStage, type Stage, type Step } from '../deploy/read-dockerfile.js';
import { ROOT } from '../architecture-tests/workspace.js';

/** The user `node` of Node's images. */
export const NODE_USER_ID = 1_000;

/** Where programs are, in the images and here. */
export const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** How this machine reaches the registry of packages. */
const CLOSE_CONTROLS = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'NODE_EXTRA_CA_CERTS'];

/** What a stage has come to. */
interface BuiltStage {
  /** The folder that stands for its root. */
  readonly root: string;
  readonly workdir: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Instructions that say how an image is run, and change nothing in it. */
const WITHOUT_EFFECT = new Set(['ARG', 'CMD', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'USER']);

/**
 * Executes the stages of the Dockerfile in folders instead of containers: what is copied is copied, and what is run is run, in
 * the stage's folder and with nothing but its own environment. Absolute paths of COPY and WORKDIR lie in the stage's folder;
 * commands must do without them.
 */
export class StageExecution {
  readonly #built = new Map<string, BuiltStage>();
  readonly #ignored: readonly string[];

  /**
   * @param scratch an empty folder.
   * @param say is called with each step before it is taken.
   */
  constructor(
    private readonly stages: readonly Stage[],
    private readonly scratch: string,
    private readonly say: (line: string) => void,
  ) {
    this.#ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
  }

  /** @returns the folder that stands for the root of the target's image. @throws Error when a command fails. */
  async build(name: string): Promise<string> {
    return (await this.#build(findStage(this.stages, name))).root;
  }

  async #build(stage: Stage): Promise<BuiltStage> {
    const before = this.#built.get(stage.name);
    if (before) return before;
    const parent = this.stages.find(({ name }) => name === stage.from);
    let state: BuiltStage = { root: join(this.scratch, stage.name), workdir: '/', environment: {} };
    mkdirSync(state.root, { recursive: true });
    if (parent) {
      const base = await this.#build(parent);
      copyTree(base.root, state.root);
      state = { ...base, root: state.root };
    }
    for (const step of stage.steps) {
      this.say(`${stage.name}: ${step.keyword} ${step.text}`);
      state = await this.#take(step, state);
    }
    this.#built.set(stage.name, state);
    return state;
  }

  async #take(step: Step, state: BuiltStage): Promise<BuiltStage> {
    switch (step.keyword) {
      case 'WORKDIR':
        mkdirSync(join(state.root, step.text), { recursive: true });
        return { ...state, workdir: step.text };
      case 'ENV':
        return { ...state, environment: { ...state.environment, ...Object.fromEntries(step.pairs) } };
      case 'COPY':
        await this.#copy(step, state);
        return state;
      case 'RUN':
        await run(step.text, state);
        return state;
      default:
        if (!WITHOUT_EFFECT.has(step.keyword)) throw new Error(`${step.keyword} cannot be executed here.`);
        return state;
    }
  }

  async #copy({ words, flags }: Step, state: BuiltStage): Promise<void> {
    const target = words.at(-1) ?? '';
    const into = join(state.root, isAbsolute(target) ? target : join(state.workdir, target));
    const from = flags.from === undefined ? undefined : await this.#build(findStage(this.stages, flags.from));
    for (const source of words.slice(0, -1)) {
      if (from) copyTree(join(from.root, source), into);
      else this.#copyContext(source, into);
    }
    if (flags.chown === 'node:node') giveToUser(into);
  }

  #copyContext(source: string, into: string): void {
    const isWanted = (file: string) => !this.#ignored.some((glob) => matchesGlob(relative(ROOT, file), glob));
    cpSync(join(ROOT, source), into, { recursive: true, verbatimSymlinks: true, filter: isWanted });
  }
}

/** The content of a folder with the owners of its files, as COPY takes it from another stage. */
function copyTree(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  execFileSync('cp', ['-a', `${source}/.`, target]);
}

/** Where this process may: else everything belongs to whoever runs it. */
export function giveToUser(folder: string): void {
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${NODE_USER_ID}:${NODE_USER_ID}`, folder]);
}

function pickSet(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

async function run(command: string, state: BuiltStage): Promise<void> {
  const child = spawn('sh', ['-c', command], {
    cwd: join(state.root, state.workdir),
    env: {
      PATH: [dirname(process.execPath), SYSTEM_PATH].join(delimiter),
      HOME: homedir(),
      ...pickSet(CLOSE_CONTROLS),
      ...state.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command}\nended with ${code}:\n${output.slice(-4_000)}`);
}
