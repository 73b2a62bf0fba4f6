import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findNginxBinary, findRedisBinary } from '@mg/embedded';
import { inheritEnvironment } from '../deployment/inherit-environment.js';
import type { ProgramRun } from '../deployment/program.js';
import { REPOSITORY } from '../deployment/repository.js';
import { replaceVariables } from './replace-variables.js';

/** What a container has before its image is known: paths and names of the file are those of this machine already. */
export interface ContainerSurroundings {
  readonly address: string;
  /** For what the container writes outside its volumes. */
  readonly directory: string;
  readonly command: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string>>;
  /** Folders in memory that the user of a container may write to; the rest of its file system is read-only. */
  readonly writable: readonly string[];
  /** The place on this machine of a path inside the container. */
  findPlace(path: string): string;
  readonly nameServer: string;
}

/** How the process of an image runs on this machine, and the signal that its image is stopped with. */
export interface PreparedImage {
  readonly run: ProgramRun;
  readonly stopSignal: NodeJS.Signals;
}

export type PrepareImage = (surroundings: ContainerSurroundings) => Promise<PreparedImage>;

const EXECUTABLE = 0o755;

/** Directives that name what nginx writes, and where it would be without them in its image. */
const WRITTEN_BY_NGINX: Readonly<Record<string, string>> = {
  pid: '/run/nginx.pid',
  client_body_temp_path: '/var/cache/nginx/client_temp',
  proxy_temp_path: '/var/cache/nginx/proxy_temp',
  fastcgi_temp_path: '/var/cache/nginx/fastcgi_temp',
  uwsgi_temp_path: '/var/cache/nginx/uwsgi_temp',
  scgi_temp_path: '/var/cache/nginx/scgi_temp',
};

/** A plane: `node` of the tests in the repository, whose build is what the image holds. */
export const preparePlane: PrepareImage = async ({ address, command = [], environment }) => {
  const [node, ...parameters] = command;
  if (node !== 'node') throw new Error(`A plane is started by node, not by ${node}.`);
  const env = {
    ...inheritEnvironment(),
    ...environment,
    HOST: address,
    PATH: prependPath(dirname(process.execPath)),
  };
  return { run: { command: process.execPath, parameters, env, cwd: REPOSITORY }, stopSignal: 'SIGTERM' };
};

/** The image of Redis: its programs, told to listen and ask at the container's address only. */
export const prepareRedis: PrepareImage = async (surroundings) => {
  const { address, directory, command = [], environment, findPlace } = surroundings;
  const [program = '', ...parameters] = command;
  const server = await findRedisBinary();
  const client = join(dirname(server.command), basename(server.command).replace('server', 'cli'));
  const programs = join(directory, 'bin');
  await mkdir(programs, { recursive: true });
  const write = (name: string, line: string) =>
    writeFile(join(programs, name), `#!/bin/sh\nexec ${line}\n`, { mode: EXECUTABLE });
  await write('redis-server', `${server.command} "$@" --bind ${address}`);
  await write('redis-cli', `${client} -h ${address} "$@"`);
  const env = {
    ...environment,
    REDIS_DIRECTORY: findPlace('/data'),
    LD_LIBRARY_PATH: server.env['LD_LIBRARY_PATH'] ?? '',
    PATH: prependPath(programs),
  };
  return { run: { command: program, parameters, env, cwd: directory }, stopSignal: 'SIGTERM' };
};

/**
 * The image of nginx: its entry point writes the templates with their variables filled in, then nginx runs in the
 * foreground with the configuration that its command names.
 */
export const prepareNginx: PrepareImage = async (surroundings) => {
  const { address, directory, command = [], environment, writable, findPlace, nameServer } = surroundings;
  const binary = await findNginxBinary();
  const variables = { ...environment, NGINX_LOCAL_RESOLVERS: nameServer };
  const templates = findPlace('/etc/nginx/templates');
  const names = (await readdir(templates)).filter((name) => name.endsWith('.template'));
  const output = environment['NGINX_ENVSUBST_OUTPUT_DIR'] ?? '/etc/nginx/conf.d';
  refuseUnwritable([output], writable);
  await mkdir(join(directory, output), { recursive: true });
  for (const name of names) {
    const text = fillTemplate(await readFile(join(templates, name), 'utf8'), variables);
    refuseUnwritable(listWritten(text), writable);
    const here = text
      .replaceAll(/(?<=\s)\/tmp\//g, `${join(directory, 'tmp')}/`)
      .replaceAll('/etc/nginx/templates/', `${templates}/`);
    const user = process.getuid?.() === 0 ? 'user root;\n' : '';
    await writeFile(join(directory, output, basename(name, '.template')), user + bindTo(address, here));
  }
  const [program, ...words] = command;
  if (program !== 'nginx') throw new Error('The entry point of nginx fills in templates for nginx alone.');
  const parameters = ['-p', directory, ...words.map((word) => word.replace(/^(?=\/)/, directory))];
  const env = { PATH: prependPath(), LD_LIBRARY_PATH: binary.env['LD_LIBRARY_PATH'] ?? '' };
  return { run: { command: binary.command, parameters, env, cwd: directory }, stopSignal: 'SIGQUIT' };
};

/** `envsubst` replaces `${NAME}` and `$NAME` of variables that are set and leaves nginx's own alone. */
function fillTemplate(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$\{(\w+)\}|\$(\w+)/g, (match, braced?: string, bare?: string) => {
    const name = braced ?? bare ?? '';
    return name in variables ? replaceVariables(`\${${name}}`, variables) : match;
  });
}

/** A container has its ports for itself; here only its address has them. */
function bindTo(address: string, text: string): string {
  return text
    .replace(/^(\s*)listen\s+\[::\]:.*\n/gm, '')
    .replace(/\blisten\s+(\d+)/g, `listen ${address}:$1`);
}

/** What nginx writes, by a configuration or by its own defaults. */
function listWritten(text: string): string[] {
  return Object.entries(WRITTEN_BY_NGINX).map(
    ([directive, fallback]) => new RegExp(`^\\s*${directive}\\s+([^;]+);`, 'm').exec(text)?.[1] ?? fallback,
  );
}

/** A container cannot start either where its user may not write. @throws Error that names the path. */
function refuseUnwritable(paths: readonly string[], writable: readonly string[]): void {
  const refused = paths.find((path) => !writable.some((folder) => `${path}/`.startsWith(`${folder}/`)));
  if (refused !== undefined) throw new Error(`The user of the container may not write to ${refused}.`);
}

function prependPath(folder?: string): string {
  const { PATH = '' } = process.env;
  return folder === undefined ? PATH : `${folder}:${PATH}`;
}
