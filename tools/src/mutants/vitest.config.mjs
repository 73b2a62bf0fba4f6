// The tests as they are, with one bug seeded into the source that they read: named by SEEDED_BUG, without touching any file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import tests from '../../../vitest.config.ts';
import { ROOT } from '../steps.mjs';
import { SEEDED_BUGS } from './run-tests.mjs';

const bug = SEEDED_BUGS.find(({ name }) => name === process.env.SEEDED_BUG);
const path = bug && join(ROOT, bug.file);

/** Gives the file of the bug with the bug in it. */
const seedBug = {
  name: 'seed-bug',
  enforce: 'pre',
  load(id) {
    return id === path ? readFileSync(path, 'utf8').replace(bug.find, () => bug.replace) : undefined;
  },
};

export default {
  ...tests,
  root: ROOT,
  test: {
    ...tests.test,
    projects: tests.test.projects.map(({ test, ...project }) => ({
      ...project,
      root: ROOT,
      plugins: [seedBug],
      // A module that is kept knows nothing of the bug that was seeded, or not seeded, into it.
      test: { ...test, fsModuleCache: false },
    })),
  },
};
