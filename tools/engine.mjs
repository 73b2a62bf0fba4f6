// `npm run engine`: runs docker-compose.yml on a real container engine, as an operator does, and kills, freezes, upgrades and
// restarts what runs there. Where `docker` reaches no engine, one is unpacked from Debian's packages, and images stand in for those
// of registries. Takes minutes, and leaves nothing behind.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyProject, takeDigests } from './src/engine/copy-project.mjs';
import { makeStandIns } from './src/engine/make-stand-ins.mjs';
import { findObstacle, hasEngine, startEngine } from './src/engine/start-engine.mjs';
import { fail, findNode, installWhenNeeded } from './src/workspace.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';

const SIGNAL_EXIT_CODE = 128;
const PROJECT = 'model-gateway';

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const startedMs = Date.now();
const folder = mkdtempSync(join(tmpdir(), 'model-gateway-engine-'));
const project = join(folder, 'project');
let stopEngine = () => undefined;
process.on('exit', () => {
  stopEngine();
  rmSync(folder, { recursive: true, force: true });
});
copyProject(project);
const engine = hasEngine() ? useEngine() : await makeEngine();
const [command, ...parameters] = [
  ...engine.enter,
  findNode(),
  join(ROOT, 'node_modules/vitest/vitest.mjs'),
  'run',
  '--project',
  'e2e',
  '--disable-console-intercept',
  '--bail=1',
  'e2e/src/engine',
];
const { code } = await runStep(command, parameters, {
  env: { ...engine.environment, ENGINE_PROJECT: project, ENGINE_RESTART: engine.restart },
});
say(`${seconds()} s in all`);
process.exit(code);

/** The engine of this machine, unless it has a stack of ours: everything in it would be lost. */
function useEngine() {
  const filter = ['--quiet', '--filter', `label=com.docker.compose.project=${PROJECT}`];
  for (const list of [
    ['ps', '--all', ...filter],
    ['volume', 'ls', ...filter],
  ]) {
    const { stdout } = spawnSync('docker', list, { encoding: 'utf8' });
    if (stdout.trim() !== '')
      fail(`The engine of this machine has a stack ${PROJECT}, which this would remove.`);
  }
  say('Using the engine of this machine.');
  const stop = () =>
    spawnSync('docker', ['compose', 'down', '--volumes'], { cwd: project, stdio: 'inherit' });
  return { environment: {}, enter: [], restart: '', stop };
}

async function makeEngine() {
  const obstacle = findObstacle();
  if (obstacle) {
    say(`Left out: there is no container engine, and none can be started here: ${obstacle}.`);
    process.exit(0);
  }
  const engine = await startEngine(join(folder, 'engine'));
  stopEngine = engine.stop;
  say(`${seconds()} s: an engine unpacked from Debian's packages runs`);
  Object.assign(process.env, engine.environment);
  makeStandIns(takeDigests(project), join(folder, 'stand-ins'));
  say(`${seconds()} s: images that stand in for those of registries`);
  return engine;
}

function seconds() {
  return Math.round((Date.now() - startedMs) / 1_000);
}
