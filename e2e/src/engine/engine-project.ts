import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { readOneCheck } from '../compose/check-health.js';
import { waitUntil } from '../wait-until.js';

const NAME = 'model-gateway';
/** Between two questions to the engine: each starts programs, on a machine that starts containers as well. */
const ASK_EVERY_MS = 300;

/** A container as `docker inspect` shows it, as far as it is read here. */
const containerSchema = z.object({
  Id: z.string(),
  Name: z.string(),
  Config: z.object({
    User: z.string(),
    Labels: z.record(z.string(), z.string()),
    Healthcheck: z.object({ Test: z.array(z.string()) }).optional(),
  }),
  State: z.object({
    Pid: z.number(),
    Running: z.boolean(),
    ExitCode: z.number(),
    StartedAt: z.string(),
    Health: z.object({ Status: z.string() }).optional(),
  }),
  HostConfig: z.object({
    ReadonlyRootfs: z.boolean(),
    CapDrop: z.array(z.string()).nullable(),
    SecurityOpt: z.array(z.string()).nullable(),
  }),
  NetworkSettings: z.object({ Networks: z.record(z.string(), z.object({ IPAddress: z.string() })) }),
});

export type EngineContainer = z.output<typeof containerSchema>;

/** How a command ended, and what it said. */
export interface CommandEnd {
  readonly code: number;
  readonly output: string;
  readonly ms: number;
}

/** The stack of docker-compose.yml on the container engine that `docker` speaks to. */
export class EngineProject {
  /** @param folder a copy of the repository whose compose file is used, with `.env` in it. */
  constructor(readonly folder: string) {}

  /** Runs a line of a shell in the folder. */
  sh(line: string, environment: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    const startedMs = Date.now();
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-c', line], {
        cwd: this.folder,
        env: { ...process.env, ...environment },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      child.once('error', reject);
      child.once('close', (code) => resolve({ code: code ?? 1, output, ms: Date.now() - startedMs }));
    });
  }

  /** @throws Error with what the command said, unless it succeeds. */
  async run(line: string, environment: Readonly<Record<string, string>> = {}): Promise<CommandEnd> {
    const end = await this.sh(line, environment);
    if (end.code !== 0) throw new Error(`${line} ended with ${end.code}:\n${end.output.slice(-4_000)}`);
    return end;
  }

  /** Containers of a service, or of all, that run or have ended. */
  async list(service?: string): Promise<EngineContainer[]> {
    const of = service === undefined ? '' : ` --filter label=com.docker.compose.service=${service}`;
    const oneOff = '--filter label=com.docker.compose.oneoff=False';
    const { output: ids } = await this.run(
      `docker ps --all --quiet --filter label=com.docker.compose.project=${NAME} ${oneOff}${of}`,
    );
    if (ids.trim() === '') return [];
    const { output: text } = await this.run(`docker inspect ${ids.trim().split('\n').join(' ')}`);
    return z
      .array(containerSchema)
      .parse(JSON.parse(text))
      .toSorted((one, other) => one.Name.localeCompare(other.Name));
  }

  /** Those of a service that run. @throws Error where there is none. */
  async listRunning(service: string): Promise<[EngineContainer, ...EngineContainer[]]> {
    const [first, ...rest] = (await this.list(service)).filter(({ State }) => State.Running);
    if (!first) throw new Error(`No ${service} runs.`);
    return [first, ...rest];
  }

  /** Waits until everything runs and is healthy, but for what has to end. */
  async waitUntilHealthy(withinMs: number): Promise<void> {
    const isWell = ({ Config, State }: EngineContainer) =>
      serviceOf({ Config }) === 'migrate' || (State.Running && State.Health?.Status === 'healthy');
    await waitUntil(
      'every container is healthy',
      async () => {
        const containers = await this.list().catch(() => []);
        return containers.length > 0 && containers.every(isWell);
      },
      withinMs,
      ASK_EVERY_MS,
    );
  }

  /**
   * Waits until all containers of a service say that they are ready, asked by their health check at once: the engine itself
   * asks a container that has started only after five seconds.
   */
  async waitUntilReady(service: string, withinMs: number): Promise<void> {
    const isReady = async ({ Id, Config, State }: EngineContainer) => {
      const words = readOneCheck(Config.Healthcheck?.Test.slice(1) ?? []).map((word) => `'${word}'`);
      return State.Running && (await this.sh(`docker exec ${Id} ${words.join(' ')}`)).code === 0;
    };
    await waitUntil(
      `every ${service} is ready`,
      async () => {
        const containers = await this.list(service).catch(() => []);
        return containers.length > 0 && (await Promise.all(containers.map(isReady))).every(Boolean);
      },
      withinMs,
      ASK_EVERY_MS,
    );
  }

  /** The address of this machine in a network of the project. */
  async findHost(network: string): Promise<string> {
    const format = '{{(index .IPAM.Config 0).Gateway}}';
    const { output } = await this.run(`docker network inspect --format '${format}' ${NAME}_${network}`);
    return output.trim();
  }

  /** How this machine reaches the database as its owner. */
  async findDatabaseUrl(): Promise<string> {
    const [{ NetworkSettings }] = await this.listRunning('postgres');
    const address = NetworkSettings.Networks[`${NAME}_data`]?.IPAddress ?? '';
    return `postgres://model_gateway:${this.readVariable('POSTGRES_PASSWORD')}@${address}:5432/model_gateway`;
  }

  readVariable(name: string): string {
    const text = readFileSync(`${this.folder}/.env`, 'utf8');
    return new RegExp(`^${name}=(.*)$`, 'm').exec(text)?.[1] ?? '';
  }
}

export function serviceOf({ Config }: Pick<EngineContainer, 'Config'>): string {
  return Config.Labels['com.docker.compose.service'] ?? '';
}

/** Every process of a container, as this machine counts them. */
export async function listProcesses(project: EngineProject, { Id }: EngineContainer): Promise<number[]> {
  const { output: text } = await project.run(`docker top ${Id} -eo pid`);
  return text
    .split('\n')
    .map((line) => Number(line.trim()))
    .filter((pid) => pid > 0);
}
