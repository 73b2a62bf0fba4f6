import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { findProgram, findRedisBinary } from '@mg/embedded';
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

/** The image of nginx: its entry point writes the templates' variables, then nginx runs in the foreground. */
export const prepareNginx: PrepareImage = async (surroundings) => {
  const { address, directory, environment, findPlace, nameServer } = surroundings;
  const binary = await findProgram({
    title: 'nginx',
    names: ['nginx'],
    package: 'nginx',
    path: 'usr/sbin/nginx',
    versionParameter: '-v',
    advice: "install Debian's nginx: `apt-get install --no-install-recommends nginx`",
  });
  const variables = { ...environment, NGINX_LOCAL_RESOLVERS: nameServer };
  const templates = findPlace('/etc/nginx/templates');
  const names = (await readdir(templates)).filter((name) => name.endsWith('.template'));
  await mkdir(join(directory, 'conf.d'), { recursive: true });
  for (const name of names) {
    const text = fillTemplate(await readFile(join(templates, name), 'utf8'), variables);
    await writeFile(join(directory, 'conf.d', basename(name, '.template')), bindTo(address, text));
  }
  const main = join(directory, 'nginx.conf');
  await writeFile(main, writeMainConfiguration(directory));
  const parameters = ['-p', directory, '-c', main, '-g', 'daemon off;'];
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

/** The image's own nginx.conf, with every path in the container's folder. */
function writeMainConfiguration(directory: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${join(directory, name)};`,
  );
  return [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'worker_processes auto;',
    'error_log stderr notice;',
    `pid ${join(directory, 'nginx.pid')};`,
    'events { worker_connections 1024; }',
    'http {',
    '  access_log /dev/stdout;',
    ...temporary,
    '  sendfile on;',
    '  keepalive_timeout 65;',
    `  include ${join(directory, 'conf.d')}/*.conf;`,
    '}\n',
  ].join('\n');
}

function prependPath(folder?: string): string {
  const { PATH = '' } = process.env;
  return folder === undefined ? PATH : `${folder}:${PATH}`;
}
