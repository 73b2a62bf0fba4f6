// `npm run attack`: installs and builds what is missing, starts the product and runs every attack at full size. Prints one
// line a threat: withstood, failed with the reason, or why it does not apply. `npm run attack -- T25 T26` runs those alone.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chooseLeases } from './src/choose-leases.mjs';
import { ROOT, runStep, say, stopOnSignal } from './src/steps.mjs';
import { build, findNode, installWhenNeeded } from './src/workspace.mjs';

const SIGNAL_EXIT_CODE = 128;

const { values, positionals: wanted } = parseArgs({
  options: { leases: { type: 'string' } },
  allowPositionals: true,
});
chooseLeases(values.leases);
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
await installWhenNeeded();
await build(['monolith', 'gateway', 'billing', 'console', 'video-worker', 'migrate']);
say('Attacking ...');
const folder = mkdtempSync(join(tmpdir(), 'mg-attack-'));
const report = join(folder, 'report.json');
const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
const { code } = await runStep(
  findNode(),
  [vitest, 'run', '--project', 'e2e', ...reporters, 'e2e/src/attack/attack.e2e.ts', ...chooseTests(wanted)],
  { env: { ATTACK_SIZE: 'full' } },
);
const THREATS = JSON.parse(readFileSync(join(ROOT, 'e2e/src/attack/threats.json'), 'utf8'));
const tests = JSON.parse(readFileSync(report, 'utf8')).testResults.flatMap((file) => file.assertionResults);
rmSync(folder, { recursive: true });
say('');
for (const [id, { title, notApplicable }] of Object.entries(THREATS)) {
  if (wanted.length === 0 || wanted.includes(id)) say(describeThreat(id, title, notApplicable));
}
process.exit(code);

/** Of the runner: only attacks whose title begins with the names of these threats. */
function chooseTests(threats) {
  return threats.length === 0 ? [] : ['--testNamePattern', `\\b(?:${threats.join('|')})\\b.*: `];
}

/** One line: `T25 pass  bodies that hold the event loop (3 attacks, 41.2 s)`. */
function describeThreat(id, title, notApplicable) {
  const name = id.padEnd(4);
  if (notApplicable) return `${name}n/a   ${title}: ${notApplicable}`;
  const attacks = tests.filter((test) => namesThreat(test.title, id));
  const failed = attacks.filter((test) => test.status !== 'passed');
  if (attacks.length === 0) return `${name}FAIL  ${title}: no attack ran`;
  const seconds = attacks.reduce((sum, test) => sum + (test.duration ?? 0), 0) / 1_000;
  const facts = `${attacks.length} attack${attacks.length > 1 ? 's' : ''}, ${seconds.toFixed(1)} s`;
  const reason = failed.map((test) => test.failureMessages[0]?.split('\n')[0] ?? test.title).join('; ');
  return failed.length > 0 ? `${name}FAIL  ${title}: ${reason}` : `${name}pass  ${title} (${facts})`;
}

function namesThreat(title, id) {
  const [names = ''] = title.split(':');
  return names.split(', ').includes(id);
}
