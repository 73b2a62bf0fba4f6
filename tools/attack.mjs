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
/** Measures milliseconds of the event loop, and so needs the machine for itself. */
const TIMED = 'T25';
/** A test that the pattern leaves out has another status. */
const RAN = new Set(['passed', 'failed']);

const { values, positionals: wanted } = parseArgs({
  options: { leases: { type: 'string' } },
  allowPositionals: true,
});
chooseLeases(values.leases);
stopOnSignal((signal) => SIGNAL_EXIT_CODE + signal);
const THREATS = JSON.parse(readFileSync(join(ROOT, 'e2e/src/attack/threats.json'), 'utf8'));
const unknown = wanted.filter((id) => !(id in THREATS));
if (unknown.length > 0) {
  say(`There is no threat ${unknown.join(', ')}: see e2e/src/attack/threats.json.`);
  process.exit(2);
}
await installWhenNeeded();
await build(['monolith', 'gateway', 'billing', 'console', 'video-worker', 'migrate']);
const chosen = wanted.length > 0 ? wanted : Object.keys(THREATS);
const rounds = [
  // Beside each other: what the processes of the third file do is mostly to wait.
  {
    threats: chosen.filter((id) => id !== TIMED),
    files: ['attack-wallet.e2e.ts', 'attack.e2e.ts', 'attack-processes.e2e.ts'],
  },
  { threats: chosen.filter((id) => id === TIMED), files: ['attack.e2e.ts'] },
].filter(({ threats }) => threats.length > 0);
say('Attacking ...');
const results = [];
for (const round of rounds) results.push(await attack(round));
const tests = results.flatMap((result) => result.tests);
say('');
for (const id of chosen) say(describeThreat(id));
process.exit(Math.max(...results.map(({ code }) => code)));

/** Runs the attacks of some threats. @returns the runner's exit code, and its report on each test that ran. */
async function attack({ threats, files }) {
  const folder = mkdtempSync(join(tmpdir(), 'mg-attack-'));
  const report = join(folder, 'report.json');
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const reporters = ['--reporter=dot', '--reporter=json', `--outputFile.json=${report}`];
  const pattern = `\\b(?:${threats.join('|')})\\b.*: `;
  const paths = files.map((name) => `e2e/src/attack/${name}`);
  const { code } = await runStep(
    findNode(),
    [vitest, 'run', '--project', 'e2e', ...reporters, '--testNamePattern', pattern, ...paths],
    { env: { ATTACK_SIZE: 'full' } },
  );
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  rmSync(folder, { recursive: true });
  const ran = testResults.flatMap((file) => file.assertionResults).filter(({ status }) => RAN.has(status));
  return { code, tests: ran };
}

/** One line: `T25 pass  bodies that hold the event loop (3 attacks, 41.2 s)`. */
function describeThreat(id) {
  const { title, notApplicable } = THREATS[id];
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
