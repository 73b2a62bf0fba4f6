import { describe, expect, it } from 'vitest';
import { CANARY } from '../deployment/credentials.js';
import type { Deployment } from '../deployment/deployment.js';

const SURROUNDINGS = 60;

/** Runs last: after everything that went well and wrong, no secret stands in any line that a process printed. */
export function describeSecrets(get: () => Deployment): void {
  describe('the output of the processes', () => {
    it('holds no secret', () => {
      const output = get().readOutput();
      expect(output.length).toBeGreaterThan(100);
      const finds = [...output.matchAll(new RegExp(`${CANARY}-|Bearer (?!\\[)\\S{8}|eyJ[\\w-]{10}`, 'g'))];
      const places = finds.map(({ index }) =>
        output.slice(Math.max(0, index - SURROUNDINGS), index + SURROUNDINGS),
      );
      expect(places).toEqual([]);
    });

    it('is JSON, line by line', () => {
      const lines = get()
        .readOutput()
        .split('\n')
        .filter((line) => line.startsWith('{'));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow();
    });
  });
}
