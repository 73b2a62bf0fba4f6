import { describe, expect, it } from 'vitest';
import { readProjects, resolveImport } from './workspace.js';

const SOURCES = 'libs/planes/inference/src';
/** From what knows nothing of calls to what binds them to routes; the plane's own files stand above all folders. */
const HEIGHTS: Readonly<Record<string, number>> = {
  edge: 0,
  access: 1,
  cache: 1,
  capture: 1,
  images: 1,
  leases: 1,
  limits: 1,
  trace: 1,
  call: 2,
  operations: 3,
  discovery: 3,
  openapi: 3,
  http: 4,
};
const TOP = 5;
/** Operations that others are made of; they import no other operation. */
const SHARED_OPERATIONS = ['chat', 'exchange'];

interface Place {
  readonly folder: string | undefined;
  readonly operation: string | undefined;
}

function placeOf(path: string): Place {
  const [folder = '', below = '', file] = path.slice(SOURCES.length + 1).split('/');
  if (below === '') return { folder: undefined, operation: undefined };
  return { folder, operation: folder === 'operations' && file !== undefined ? below : undefined };
}

const files = readProjects()
  .flatMap(({ sources }) => sources)
  .filter(({ path, isTest }) => path.startsWith(`${SOURCES}/`) && !isTest);
const imports = files.flatMap((file) =>
  file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => ({ from: file.path, to: resolveImport(file, specifier) })),
);

function listBroken(isBroken: (from: Place, to: Place) => boolean): string[] {
  return imports
    .filter(({ from, to }) => isBroken(placeOf(from), placeOf(to)))
    .map(({ from, to }) => `${from} imports ${to}`);
}

const heightOf = ({ folder }: Place) => (folder === undefined ? TOP : (HEIGHTS[folder] ?? Number.NaN));

describe('the folders of the inference plane', () => {
  it('are the ones that have a height', () => {
    const folders = new Set(files.flatMap(({ path }) => placeOf(path).folder ?? []));
    expect([...folders].sort()).toEqual(Object.keys(HEIGHTS).sort());
  });

  it('import downwards only', () => {
    expect(listBroken((from, to) => from.folder !== to.folder && !(heightOf(to) < heightOf(from)))).toEqual(
      [],
    );
  });

  it('hold operations that know none of each other, but for those that others are made of', () => {
    const broken = listBroken(
      (from, to) =>
        from.operation !== undefined &&
        to.operation !== undefined &&
        from.operation !== to.operation &&
        (!SHARED_OPERATIONS.includes(to.operation) || SHARED_OPERATIONS.includes(from.operation)),
    );
    expect(broken).toEqual([]);
  });
});
