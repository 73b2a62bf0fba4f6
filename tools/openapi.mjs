// `npm run openapi`: writes the Console's OpenAPI document, and from it the types of its page.
import { join } from 'node:path';
import { ROOT, runStep, stopOnSignal } from './src/steps.mjs';
import { findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;
const DOCUMENT_SPEC = 'libs/planes/console/src/http/openapi-document.spec.ts';
const STEPS = [
  ['node_modules/vitest/vitest.mjs', 'run', '--project=unit', DOCUMENT_SPEC, '--update'],
  ['apps/console-web/write-api-types.mjs'],
];

stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
for (const [script, ...parameters] of STEPS) {
  const { code } = await runStep(findNode(), [join(ROOT, script), ...parameters]);
  if (code !== 0) process.exit(code);
}
