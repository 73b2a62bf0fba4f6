// `npm run lint:deploy`: hadolint, promtool, kube-score and Helm over deploy/. Those that this machine does not have are fetched or
// built (minutes, once) into the user's cache, where `npm test` finds them too.
import { join } from 'node:path';
import { findTool, provideTool } from './src/check-tools/check-tools.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const TOOLS = ['hadolint', 'promtool', 'kube-score', 'helm'];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
const missing = [];
for (const name of TOOLS) {
  if (!findTool(name)) say(`Getting ${name} (minutes, once) ...`);
  try {
    provideTool(name);
  } catch (error) {
    say(`${name} is left out: ${error.message}`);
    missing.push(name);
  }
}
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const files = ['tools/src/deploy/linters.spec.ts', 'tools/src/deploy/helm'];
const { code } = await runStep(findNode(), [vitest, 'run', '--project', 'unit', ...files]);
process.exit(code === 0 && missing.length > 0 ? 1 : code);
