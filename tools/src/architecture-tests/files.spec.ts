import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFiles, readProjects, ROOT } from './workspace.js';

/** Names that say nothing about what a file does. */
const EMPTY_WORDS = /(^|[-.])(utils?|helpers?|common|managers?|misc|shared)([-.]|$)/;
const EMPTY_VERBS = /\bfunction (handle|process|perform|doStuff)[A-Z]\w*/g;
const KEBAB_CASE = /^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/;

const projects = readProjects();
const sources = projects.flatMap((project) => project.sources);

describe('files', () => {
  it('have names in kebab-case that say what they do', () => {
    const broken = sources
      .map(({ path }) => path)
      .filter((path) => !KEBAB_CASE.test(basename(path)) || EMPTY_WORDS.test(basename(path)));
    expect(broken).toEqual([]);
  });

  it('hold functions named by what they do', () => {
    const broken = sources.flatMap(({ path, text }) =>
      [...text.matchAll(EMPTY_VERBS)].map(([match]) => `${path}: ${match}`),
    );
    expect(broken).toEqual([]);
  });

  it('re-export at the face of a library alone', () => {
    const barrels = sources.filter(
      ({ path, text }) => !path.endsWith('/src/index.ts') && /^export \* from/m.test(text),
    );
    expect(barrels.map(({ path }) => path)).toEqual([]);
  });

  it('switch a lint rule off only with a reason', () => {
    const broken = sources
      .filter(({ path }) => path !== 'tools/src/architecture-tests/files.spec.ts')
      .flatMap(({ path, text }) =>
        text
          .split('\n')
          .filter((line) => /(oxlint|eslint)-disable|@ts-(ignore|expect-error|nocheck)/.test(line))
          .filter((line) => !/ -- \w+/.test(line))
          .map((line) => `${path}: ${line.trim()}`),
      );
    expect(broken).toEqual([]);
  });
});

describe('libraries', () => {
  it('each have a README with their purpose and what they may import', () => {
    const libraries = projects.filter(({ folder }) => folder.startsWith('libs/'));
    const broken = libraries
      .map(({ folder }) => `${folder}/README.md`)
      .filter((path) => !existsSync(join(ROOT, path)));
    expect(broken).toEqual([]);
  });

  it('hold tests beside their sources where they have any, in a target that runs them', () => {
    // End-to-end tests of all projects are run by one target, by their ending.
    const targets = { '.spec.ts': 'test', '.itest.ts': 'integration' };
    const broken = projects.flatMap(({ folder, targets: declared }) =>
      Object.entries(targets)
        .filter(([ending]) => listFiles(folder, new RegExp(`\\${ending}$`)).length > 0)
        .filter(([, target]) => !declared.includes(target))
        .map(([ending, target]) => `${folder} has *${ending} but no target ${target}`),
    );
    expect(broken).toEqual([]);
  });
});
