import { describe, expect, it } from 'vitest';
import { type Project, readPackage, readProjects, resolveImport, type SourceFile } from './workspace.js';

/** `contract <- protocols | pricing | routing <- providers <- persistence | transport | ... <- planes <- apps`. */
const HEIGHTS: Readonly<Record<string, number>> = {
  'layer:0': 0,
  'layer:1': 1,
  'layer:2': 2,
  'layer:3': 3,
  'layer:4': 4,
  'layer:app': 5,
  // Beside the product: tests and measurements stand on the libraries, and no product code stands on them.
  'layer:testkit': 4,
  'layer:e2e': 5,
  'layer:bench': 5,
  'layer:tools': 5,
};

/** What a library that only calculates may not reach: frameworks, servers, the network, the file system. */
const IMPURE = /^(@nestjs\/|fastify$|ioredis$|bullmq$|undici$|pg$|typeorm$|pino$|prom-client$|node:)/;
const PURE_BUILT_INS = new Set(['node:crypto', 'node:buffer', 'node:zlib']);

/** Which entry point of persistence a plane may import. Tests may prepare and inspect what other planes write. */
const PERSISTENCE_ENTRIES: Readonly<Record<string, string>> = {
  'libs/planes/inference': '@mg/persistence/gateway',
  'libs/planes/billing': '@mg/persistence/billing',
  'libs/planes/video': '@mg/persistence/video',
  'libs/planes/console': '@mg/persistence/console',
  'apps/migrate': '@mg/persistence/migrate',
};

const projects = readProjects();
const byName = new Map(projects.map((project) => [project.name, project]));
const rootDevDependencies = Object.keys(readPackage('.').devDependencies ?? {});

interface Import {
  readonly project: Project;
  readonly file: SourceFile;
  readonly specifier: string;
}

const imports: readonly Import[] = projects.flatMap((project) =>
  project.sources.flatMap((file) => file.imports.map((specifier) => ({ project, file, specifier }))),
);

function describeImports(broken: readonly Import[]): string[] {
  return broken.map(({ file, specifier }) => `${file.path} imports ${specifier}`);
}

/** `@mg/contract` of `@mg/contract`, `zod` of `zod/v4`; `undefined` for relative files and Node's own modules. */
function packageOf(specifier: string): string | undefined {
  if (/^(\.|node:)/.test(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function isPersistence(specifier: string): boolean {
  return packageOf(specifier) === '@mg/persistence';
}

function heightOf(project: Project): number {
  const tag = project.tags.find((name) => name.startsWith('layer:')) ?? '';
  const height = HEIGHTS[tag];
  if (height === undefined) throw new Error(`${project.folder}/package.json has no known layer tag.`);
  return height;
}

describe('the layers', () => {
  it('import downwards only: no sibling, no plane another plane, nothing above', () => {
    const broken = imports.filter(({ project, file, specifier }) => {
      const target = byName.get(packageOf(specifier) ?? '');
      if (!target || (file.isTest && target.name === '@mg/testkit')) return false;
      return heightOf(target) >= heightOf(project);
    });
    expect(describeImports(broken)).toEqual([]);
  });

  it('import only what their own package.json lists', () => {
    const broken = imports.filter(({ project, file, specifier }) => {
      const name = packageOf(specifier);
      if (name === undefined || project.dependencies.includes(name)) return false;
      const forTests = [...project.devDependencies, ...rootDevDependencies];
      // What a page is made of is built into it: whoever runs the product needs none of it.
      if (project.tags.includes('runtime:browser') && project.devDependencies.includes(name)) return false;
      const mayUseTestTools = file.isTest || project.folder === 'e2e' || project.folder === 'tools';
      return !(mayUseTestTools && forTests.includes(name));
    });
    expect(describeImports(broken)).toEqual([]);
  });

  it('reach into no other project past what its package.json exports', () => {
    const broken = imports.filter(({ project, file, specifier }) => {
      if (!specifier.startsWith('.')) {
        const target = byName.get(packageOf(specifier) ?? '');
        return target !== undefined && !target.entries.some((entry) => entry.specifier === specifier);
      }
      return !resolveImport(file, specifier).startsWith(`${project.folder}/`);
    });
    expect(describeImports(broken)).toEqual([]);
  });

  it('give each plane its own entry point of persistence, and no other', () => {
    const broken = imports.filter(({ project, file, specifier }) => {
      const entry = PERSISTENCE_ENTRIES[project.folder];
      return entry !== undefined && !file.isTest && isPersistence(specifier) && specifier !== entry;
    });
    expect(describeImports(broken)).toEqual([]);
  });

  it('keep the calculating libraries free of frameworks, servers and the machine', () => {
    const broken = imports.filter(
      ({ project, file, specifier }) =>
        project.tags.includes('runtime:pure') &&
        !file.isTest &&
        IMPURE.test(specifier) &&
        !PURE_BUILT_INS.has(specifier),
    );
    expect(describeImports(broken)).toEqual([]);
  });

  it('have no circles among their packages', () => {
    const circles: string[] = [];
    const visit = (project: Project, trail: readonly string[]) => {
      if (trail.includes(project.name)) circles.push([...trail, project.name].join(' -> '));
      else for (const next of neighbours(project)) visit(next, [...trail, project.name]);
    };
    for (const project of projects) visit(project, []);
    expect(circles).toEqual([]);
  });
});

function neighbours(project: Project): Project[] {
  return [...project.dependencies, ...project.devDependencies].flatMap((name) => byName.get(name) ?? []);
}
