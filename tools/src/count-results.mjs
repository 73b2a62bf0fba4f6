import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Sums vitest's JSON reports below a directory. A file of tests that could not even be loaded counts as one failure. */
export function countResults(directory) {
  const totals = { passed: 0, failed: 0 };
  for (const path of listReports(directory)) {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    const unloaded = report.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.length === 0,
    );
    totals.passed += report.numPassedTests;
    totals.failed += report.numFailedTests + unloaded.length;
  }
  return totals;
}

function listReports(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(directory, name));
}
