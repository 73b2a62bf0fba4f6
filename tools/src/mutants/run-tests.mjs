import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT, runStep } from '../steps.mjs';
import { findNode } from '../workspace.mjs';

/**
 * Bugs that the suite has to catch, each a small edit of one file: `find` becomes `replace`. `tests` are the files, or folders
 * of them, that are asked whether they notice: at least one test of them has to fail.
 *
 * @type {readonly { name: string, file: string, find: string, replace: string, tests: readonly string[] }[]}
 */
export const SEEDED_BUGS = JSON.parse(readFileSync(new URL('./seeded-bugs.json', import.meta.url), 'utf8'));

/** @typedef {'passed' | 'failed' | 'broken'} TestOutcome `broken`: nothing failed, and not everything could be run. */

/**
 * Runs test files, or all below a folder, with or without a bug seeded.
 *
 * @param {readonly string[]} files
 * @param {string} [bug] name of the bug
 * @returns {Promise<{ outcome: TestOutcome, failed: string | undefined, output: string }>} with the first test that failed
 */
export async function runTests(files, bug = '') {
  const folder = mkdtempSync(join(tmpdir(), 'mg-mutants-'));
  const report = join(folder, 'report.json');
  try {
    const { code, output } = await runStep(
      findNode(),
      [
        join(ROOT, 'node_modules/vitest/vitest.mjs'),
        'run',
        `--config=${join(ROOT, 'tools/src/mutants/vitest.config.mjs')}`,
        '--project=unit',
        '--project=integration',
        '--reporter=json',
        `--outputFile=${report}`,
        ...files,
      ],
      { capture: true, env: { SEEDED_BUG: bug } },
    );
    if (code === 0) return { outcome: 'passed', failed: undefined, output };
    const failed = findFailed(JSON.parse(readFileSync(report, 'utf8')));
    return { outcome: failed ? 'failed' : 'broken', failed, output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function findFailed({ testResults }) {
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return tests.find(({ status }) => status === 'failed')?.fullName;
}
