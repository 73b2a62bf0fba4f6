import { existsSync } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../deployment/repository.js';
import { Container } from './container.js';
import { type PrepareImage, prepareNginx, preparePlane, prepareRedis } from './images.js';
import { claimNetwork, type Network } from './network.js';
import { type ComposeFile, type ComposeService, readComposeFile } from './read-compose-file.js';
import { readImage } from './read-image.js';
import { type RunningDatabase, startPostgres } from './start-postgres.js';

export interface ProjectOptions {
  /** What stands in `.env`. */
  readonly variables: Readonly<Record<string, string>>;
  /** As by `--scale`: how many of a service there are; one of each other. */
  readonly scale: Readonly<Record<string, number>>;
  /** Holds volumes and what containers write. */
  readonly directory: string;
  /** Folders that are mounted instead of those of the file: what an operator would have edited. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** The services of docker-compose.yml as processes of this machine. */
export class ComposeProject {
  readonly #containers: Container[] = [];
  readonly #starts = new Map<string, Promise<void>>();
  #database: RunningDatabase | undefined;

  private constructor(
    private readonly file: ComposeFile,
    private readonly network: Network,
    private readonly options: ProjectOptions,
  ) {}

  /** What `docker compose up --wait` does. @throws Error with the output of the service that did not start. */
  static async up(options: ProjectOptions): Promise<ComposeProject> {
    const file = readComposeFile(join(REPOSITORY, 'docker-compose.yml'), options.variables);
    const running: { project?: ComposeProject } = {};
    const network = await claimNetwork((name) => running.project?.findAddresses(name));
    const project = new ComposeProject(file, network, options);
    running.project = project;
    try {
      await Promise.all(Object.keys(file).map((name) => project.#start(name)));
      return project;
    } catch (error) {
      await project.down();
      throw error;
    }
  }

  get containers(): readonly Container[] {
    return this.#containers;
  }

  get databaseUrl(): string {
    return this.#database?.url ?? '';
  }

  /** The file that Postgres logs to. */
  get postgresLog(): string {
    return this.#database?.logFile ?? '';
  }

  listOf(service: string): readonly Container[] {
    return this.#containers.filter(({ plan }) => plan.service === service);
  }

  /** Address of a service's first replica. */
  addressOf(service: string, replica = 1): string {
    return this.network.addressOf(Object.keys(this.file).indexOf(service), replica);
  }

  /** Addresses of the replicas that run, or `undefined` when there is no such service. */
  findAddresses(service: string): string[] | undefined {
    if (!(service in this.file)) return undefined;
    return this.listOf(service)
      .filter((container) => container.isRunning)
      .map(({ plan }) => plan.address);
  }

  /** Stops everything, each service after those that depend on it. Answers the exit code of each container. */
  async down(): Promise<Record<string, number | null>> {
    const codes: Record<string, number | null> = {};
    for (const services of this.#listLevels().toReversed()) {
      const containers = this.#containers.filter(({ plan }) => services.includes(plan.service));
      await Promise.all(
        containers.map(async (container) => (codes[container.plan.name] = await container.stop())),
      );
    }
    await this.#database?.stop();
    this.network.close();
    return codes;
  }

  /** Services by how many others must be there before them. */
  #listLevels(): string[][] {
    const depthOf = (name: string): number =>
      1 + Math.max(-1, ...Object.keys(this.file[name]?.depends_on ?? {}).map(depthOf));
    const levels = Map.groupBy(Object.keys(this.file), depthOf);
    return [...levels].toSorted(([left], [right]) => left - right).map(([, names]) => names);
  }

  #start(name: string): Promise<void> {
    const started = this.#starts.get(name) ?? this.#startAfterOthers(name);
    this.#starts.set(name, started);
    return started;
  }

  async #startAfterOthers(name: string): Promise<void> {
    const service = this.file[name];
    if (!service) throw new Error(`There is no service ${name}.`);
    await Promise.all(Object.keys(service.depends_on).map((other) => this.#start(other)));
    if (service.image?.startsWith('postgres:')) return this.#startPostgres(name, service);
    const replicas = Array.from({ length: this.options.scale[name] ?? 1 }, (_, index) => index + 1);
    const containers = await Promise.all(replicas.map((replica) => this.#create(name, service, replica)));
    this.#containers.push(...containers);
    await Promise.all(
      containers.map((container) => {
        container.start();
        return service.healthcheck ? container.waitUntilHealthy() : container.waitUntilCompleted();
      }),
    );
  }

  async #startPostgres(name: string, service: ComposeService): Promise<void> {
    this.#database = await startPostgres(this.addressOf(name), service.environment);
  }

  async #create(service: string, settings: ComposeService, replica: number): Promise<Container> {
    const name = `${service}-${replica}`;
    const directory = join(this.options.directory, 'containers', name);
    const places = new Map(settings.volumes.map((volume) => this.#locateVolume(volume, directory)));
    // A file of the repository may be mounted too.
    const missing = [directory, ...places.values()].filter((place) => !existsSync(place));
    for (const place of missing) await mkdir(place, { recursive: true });
    await linkInnerVolumes(places, directory);
    const findPlace = (path: string) => findPlaceIn(places, path) ?? join(directory, path);
    const { build } = settings;
    const image = build && readImage(join(REPOSITORY, build.dockerfile), build.target ?? '');
    const environment = Object.fromEntries(
      Object.entries({ ...image?.environment, ...settings.environment }).map(([key, value]) => {
        const isPath = key === 'DATA_DIR' || findPlaceIn(places, value) !== undefined;
        return [key, isPath ? findPlace(value) : this.#replaceNames(value)];
      }),
    );
    const address = this.addressOf(service, replica);
    const prepared = await choosePreparation(settings)({
      address,
      directory,
      // Docker names a host after its container, and planes name themselves after their host.
      environment: image ? { INSTANCE_ID: name, ...environment } : environment,
      command: settings.command?.map((word) => findPlaceIn(places, word) ?? word),
      writable: listWritable(settings),
      findPlace,
      nameServer: this.network.nameServer,
    });
    const run = { ...prepared.run, outputFile: join(directory, 'output.log') };
    return new Container({ name, service, address, settings, run, stopSignal: prepared.stopSignal });
  }

  /** `./folder:/path:ro`, `volume:/path` or `/path` alone: the path inside and where it is on this machine. */
  #locateVolume(volume: string, directory: string): [inside: string, place: string] {
    const [source = '', inside] = volume.split(':');
    if (inside === undefined) return [source, join(directory, source)];
    if (!source.startsWith('.')) return [inside, join(this.options.directory, 'volumes', source)];
    return [inside, this.options.mounts[source] ?? join(REPOSITORY, source)];
  }

  /** What Docker's name server does for the planes: `redis:6379` becomes the address of Redis. */
  #replaceNames(value: string): string {
    return value.replace(/(?<=[/@])([a-z-]+)(?=:\d+)/g, (name) =>
      name in this.file ? this.addressOf(name) : name,
    );
  }
}

/** A volume is also found by those who only know the folder that it is mounted in. */
async function linkInnerVolumes(places: ReadonlyMap<string, string>, directory: string): Promise<void> {
  for (const [inside, place] of places) {
    const others = new Map([...places].filter(([other]) => other !== inside));
    const link = findPlaceIn(others, inside) ?? join(directory, inside);
    if (link === place) continue;
    await mkdir(dirname(link), { recursive: true });
    await symlink(place, link);
  }
}

function findPlaceIn(places: ReadonlyMap<string, string>, path: string): string | undefined {
  for (const [inside, place] of places) {
    if (path === inside || path.startsWith(`${inside}/`)) return place + path.slice(inside.length);
  }
  return undefined;
}

/** A tmpfs is root's, with the mode of the image's folder: only /tmp is open to any user who is not named. */
function listWritable({ tmpfs }: ComposeService): string[] {
  return tmpfs
    .filter((mount) => mount === '/tmp' || /:(.*,)?uid=\d+/.test(mount))
    .map((mount) => mount.split(':')[0] ?? '');
}

function choosePreparation({ image = '', build }: ComposeService): PrepareImage {
  if (build) return preparePlane;
  if (image.startsWith('redis:')) return prepareRedis;
  if (image.startsWith('nginx:')) return prepareNginx;
  throw new Error(`It is not known how the image ${image} runs here.`);
}
