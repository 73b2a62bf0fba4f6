import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './steps.mjs';
import { fail } from './workspace.mjs';

/** Tests that read the source of every project, whatever imports what. */
const READS_SOURCES = 'tools/src/architecture-tests/';
/** What every test may depend on: dependencies, settings of the compiler and of Vitest. */
const CONCERNS_ALL = /^(?:package(?:-lock)?|tsconfig\.base)\.json$|^vitest\.config\.ts$/;
const CODE = /\.(?:ts|tsx|mjs)$/;
const PROJECT = /^(?:apps|libs\/planes|libs)\/[^/]+\/|^(?:e2e|bench|tools)\//;

function git(...parameters) {
  const { status, stdout, stderr } = spawnSync('git', parameters, { cwd: ROOT, encoding: 'utf8' });
  // `grep` ends with 1 where nothing matches.
  if (status !== 0 && !(parameters[0] === 'grep' && status === 1)) fail(stderr, 1);
  return stdout.split('\n').filter((line) => line !== '');
}

/** Files that differ from where this branch left another, committed or not; deleted ones, too. */
export function listChanges(base) {
  const [ancestor = base] = git('merge-base', base, 'HEAD');
  return [...git('diff', '--name-only', ancestor), ...git('ls-files', '--others', '--exclude-standard')];
}

export function listExisting(files) {
  return files.filter((file) => existsSync(join(ROOT, file)));
}

/**
 * Files whose unit tests have to run: changed code, by what imports it; tests that read a changed file of another kind, which
 * are those of its project and those that name it; and those that read all source. `undefined` where all tests have to.
 */
export function listTested(changes) {
  if (changes.some((file) => CONCERNS_ALL.test(file))) return undefined;
  const specs = git('ls-files', '*.spec.ts');
  const tested = new Set(specs.filter((spec) => spec.startsWith(READS_SOURCES)));
  for (const file of changes) {
    if (CODE.test(file)) {
      tested.add(file);
      continue;
    }
    const project = PROJECT.exec(file)?.[0] ?? 'tools/';
    for (const spec of specs) if (spec.startsWith(project)) tested.add(spec);
    for (const spec of git('grep', '-l', '-F', basename(file), '--', '*.spec.ts')) tested.add(spec);
  }
  return listExisting([...tested]);
}
