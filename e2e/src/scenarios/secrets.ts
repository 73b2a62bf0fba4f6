import { describe, expect, it } from 'vitest';
import { CANARY } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

const CANARY_SECRET = new RegExp(`${CANARY}-`, 'g');
const CREDENTIAL = /Bearer (?!\[)\S{8}|eyJ[\w-]{10}|sk-[\w-]{8}/g;

/** Characters shown around a find. */
const SURROUNDINGS = 60;

/** Runs last: after everything that went well and wrong, no secret stands in any line that a process printed. */
export function describeSecrets(get: () => Deployment): void {
  describe('the output of the processes', () => {
    it('holds no secret that was configured', () => {
      const output = get().readOutput();
      expect(output.length).toBeGreaterThan(100);
      expect(findPlaces(output, CANARY_SECRET)).toEqual([]);
    });

    it('holds no credential in any log line', () => {
      expect(findPlaces(readLogLines(get()).join('\n'), CREDENTIAL)).toEqual([]);
    });

    it('is JSON, line by line', () => {
      const lines = readLogLines(get());
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    });
  });
}

/** The log's own lines; what is printed for the person at the terminal is none. */
function readLogLines(deployment: Deployment): string[] {
  return deployment
    .readOutput()
    .split('\n')
    .filter((line) => line.startsWith('{'));
}

function findPlaces(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(({ index }) =>
    text.slice(Math.max(0, index - SURROUNDINGS), index + SURROUNDINGS),
  );
}
