// `npm run apiserver`: starts a real API server of Kubernetes with etcd, both built of their Go modules, and has it take every
// installation by strict server-side apply, the rendered chart too. The first run takes a quarter of an hour: the programs stay
// in the user's cache. No node runs anything: what is shown is that the API accepts all of it, without a warning.
import { join } from 'node:path';
import { provideTool, findBuildObstacle, findTool, fetchModule } from './src/check-tools/check-tools.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const TOOLS = ['etcd', 'kube-apiserver', 'helm'];
/** Modules that hold the custom resources of the production installation, and where. */
const CUSTOM_RESOURCES = [
  { module: 'github.com/kedacore/keda/v2@v2.18.0', folder: 'config/crd/bases' },
  {
    module: 'github.com/prometheus-operator/prometheus-operator@v0.85.0',
    folder: 'example/prometheus-operator-crd',
  },
];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const obstacle = findBuildObstacle();
if (obstacle) {
  say(`Left out: no API server can be built here: ${obstacle}.`);
  process.exit(0);
}
for (const name of TOOLS) {
  if (!findTool(name)) say(`Building ${name} (minutes, once) ...`);
  provideTool(name);
}
const folders = CUSTOM_RESOURCES.map(({ module, folder }) => join(fetchModule(module), folder));
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const { code } = await runStep(
  findNode(),
  [vitest, 'run', '--disable-console-intercept', '--project', 'e2e', 'tools/src/apiserver'],
  { env: { APISERVER_CUSTOM_RESOURCES: folders.join(':') } },
);
process.exit(code);
