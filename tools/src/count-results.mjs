import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from './steps.mjs';

const LONGEST_MESSAGE = 300;

/**
 * Sums vitest's JSON reports below a directory, with a line for each failure. A file that could not be loaded, or whose hook
 * failed, counts as one failure.
 */
export function countResults(directory) {
  let passed = 0;
  const failures = [];
  for (const path of listReports(directory)) {
    const report = JSON.parse(readFileSync(path, 'utf8'));
    passed += report.numPassedTests;
    for (const file of report.testResults.filter(({ status }) => status === 'failed')) {
      const failedTests = file.assertionResults.filter(({ status }) => status === 'failed');
      const name = relative(ROOT, file.name);
      for (const { fullName, failureMessages } of failedTests)
        failures.push(`${name} > ${fullName}: ${shorten(failureMessages[0])}`);
      // vitest's JSON names no reason for a failed hook of a group of tests.
      if (failedTests.length === 0) failures.push(`${name}: ${shorten(file.message) || 'a hook failed'}`);
    }
  }
  return { passed, failed: failures.length, failures };
}

/** The beginning of a message, on one line. */
function shorten(message = '') {
  return message.replaceAll(/\s+/g, ' ').slice(0, LONGEST_MESSAGE).trim();
}

function listReports(directory) {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(directory, name));
}
