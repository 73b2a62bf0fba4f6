import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runStep, say } from './steps.mjs';

const OLDEST_RUNTIME = 22;

/** What Node compiled once, for all processes that are started from here. */
export const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node-compile-cache');

/** Nx without daemon, cloud, plugin processes or pages: nothing leaves this machine and nothing stays behind. */
const NX_ENVIRONMENT = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_TUI: 'false',
  NX_ISOLATE_PLUGINS: 'false',
  NX_SKIP_NATIVE_FILE_CACHE: 'true',
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  // The compiler and the linter of promises are programs in Go, and end before their garbage would be worth collecting.
  GOGC: '400',
  GOMEMLIMIT: '2GiB',
};

/** Installs the packages unless what package-lock.json asks for is in place. */
export async function installWhenNeeded() {
  const stampFile = join(ROOT, 'node_modules/.model-gateway-installed');
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === hashDependencies()) return;
  say('Installing packages (about a minute, once) ...');
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm?.endsWith('npm-cli.js') ? [process.execPath, npm] : ['npm'];
  // Not `npm ci`: it insists on packages for other operating systems being listed.
  const { code } = await runStep(command, [
    ...first,
    'install',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ]);
  if (code !== 0) fail('The packages could not be installed: see the lines above.', code);
  writeFileSync(stampFile, hashDependencies());
}

function hashDependencies() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of ['package.json', 'package-lock.json']) {
    const path = join(ROOT, file);
    if (existsSync(path)) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** The pinned Node of the packages, whatever the host has. */
export function findNode() {
  const pinned = join(ROOT, 'node_modules/.bin/node');
  if (existsSync(pinned)) return pinned;
  if (Number(process.versions.node.split('.')[0]) >= OLDEST_RUNTIME) return process.execPath;
  return fail(
    `Node ${process.versions.node} is too old and none is packaged for this machine: install Node 24.`,
  );
}

/** Runs Nx; its output comes back where it is captured, else it is shown. */
export function runNx(parameters, options) {
  const nx = join(ROOT, 'node_modules/nx/dist/bin/nx.js');
  return runStep(findNode(), [nx, ...parameters], {
    ...options,
    env: { ...NX_ENVIRONMENT, ...options?.env },
  });
}

/** Builds projects with all they need; what has not changed comes from Nx's cache. */
export async function build(projects) {
  if (process.platform === 'linux' && !existsSync('/proc/self')) {
    fail('The compiler needs /proc, which is not there: mount -t proc proc /proc');
  }
  say('Building ...');
  const parameters = ['run-many', '-t', 'build', '-p', projects.join(','), '--outputStyle=static'];
  const { code, output } = await runNx(parameters, { capture: true });
  if (code !== 0) fail(`${output}\nThe build failed: see the lines above.`, code);
}

export function fail(sentence, code = 1) {
  process.stderr.write(`${sentence}\n`);
  process.exit(code);
}
