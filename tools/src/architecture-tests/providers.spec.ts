import { describe, expect, it } from 'vitest';
import { readProjects, resolveImport, withoutComments } from './workspace.js';

const PROVIDERS = 'libs/providers/src';
const projects = readProjects();
const allSources = projects.flatMap((project) => project.sources);

/** Folder of a provider that a file belongs to; `undefined` for the files beside the folders. */
function providerOf(path: string): string | undefined {
  const rest = path.startsWith(`${PROVIDERS}/`) ? path.slice(PROVIDERS.length + 1) : '';
  return rest.includes('/') ? rest.split('/')[0] : undefined;
}

const providerIds = [...new Set(allSources.flatMap(({ path }) => providerOf(path) ?? []))];

describe('providers', () => {
  it('are folders', () => {
    expect(providerIds).toContain('openai-compatible');
  });

  it('never import each other', () => {
    const broken = allSources.flatMap((file) => {
      const own = providerOf(file.path);
      if (own === undefined) return [];
      return file.imports
        .filter((specifier) => specifier.startsWith('.'))
        .map((specifier) => resolveImport(file, specifier))
        .filter((target) => ![undefined, own].includes(providerOf(target)))
        .map((target) => `${file.path} imports ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it('are named nowhere outside their folders and the registry', () => {
    const quoted = new RegExp(`(['"\`])(${providerIds.join('|')})\\1`);
    const product = projects.filter(
      ({ folder }) => /^(apps|libs)\//.test(folder) && folder !== 'libs/testkit',
    );
    const broken = product
      .filter(({ folder }) => folder !== 'libs/providers')
      .flatMap(({ sources }) => sources)
      .filter((file) => !file.isTest && quoted.test(withoutComments(file)))
      .map((file) => file.path);
    expect(broken).toEqual([]);
  });
});
