import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface SourceFile {
  /** From the top of the repository. */
  readonly path: string;
  readonly text: string;
  /** Everything it imports, as written. */
  readonly imports: readonly string[];
  readonly isTest: boolean;
}

export interface Entry {
  /** The project's name, or its name and a path. */
  readonly specifier: string;
  /** Its source, from the top of the repository. */
  readonly path: string;
}

export interface Project {
  /** Such as `@mg/contract`. */
  readonly name: string;
  /** Folder from the top of the repository. */
  readonly folder: string;
  readonly tags: readonly string[];
  /** What others may import of it. */
  readonly entries: readonly Entry[];
  readonly dependencies: readonly string[];
  readonly devDependencies: readonly string[];
  /** Names of its Nx targets. */
  readonly targets: readonly string[];
  readonly sources: readonly SourceFile[];
}

interface PackageFile {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, { readonly '@mg/source'?: string }>>;
  readonly nx?: {
    readonly tags?: readonly string[];
    readonly targets?: Readonly<Record<string, unknown>>;
  };
}

const PROJECT_PARENTS = ['apps', 'libs', 'libs/planes'];
const TOP_PROJECTS = ['e2e', 'bench', 'tools'];
const TEST = /\.(spec|itest|e2e)\.tsx?$|\/(__fixtures__|__golden__|testing)\//;
const STATEMENT = /^(?:import|export)\s(?:[\w\s{},*$]*\bfrom\s)?'([^']+)'/gm;
const DYNAMIC = /\bimport\('([^']+)'\)/g;
const SKIPPED = new Set(['node_modules', 'dist', '.nx', '.cache', '.data']);

export function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as PackageFile;
}

/** The package.json of an installed package; `undefined` where it is not installed. */
export function readInstalledPackage(name: string): PackageFile | undefined {
  const path = join(ROOT, 'node_modules', name, 'package.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as PackageFile) : undefined;
}

/** Every project of the workspace with its sources. */
export function readProjects(): readonly Project[] {
  const nested = PROJECT_PARENTS.flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
  return [...nested, ...TOP_PROJECTS].filter(hasPackage).map(readProject);
}

/** Files below a folder whose names end so, from the top of the repository; nothing that was generated. */
export function listFiles(folder: string, ending: RegExp): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (SKIPPED.has(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(path, ending);
    return ending.test(entry.name) ? [path] : [];
  });
}

/** Code without comments: naming something there explains it. */
export function withoutComments({ text }: SourceFile): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}

/** Path of a relative import from the top of the repository. */
export function resolveImport(file: SourceFile, specifier: string): string {
  return relative(ROOT, join(ROOT, dirname(file.path), specifier));
}

function hasPackage(folder: string): boolean {
  return readdirSync(join(ROOT, folder)).includes('package.json');
}

function readProject(folder: string): Project {
  const { name, nx, exports = {}, dependencies = {}, devDependencies = {} } = readPackage(folder);
  return {
    name,
    folder,
    tags: nx?.tags ?? [],
    entries: Object.entries(exports).map(([path, { '@mg/source': source = '' }]) => ({
      specifier: name + path.slice(1),
      path: join(folder, source),
    })),
    dependencies: Object.keys(dependencies),
    devDependencies: Object.keys(devDependencies),
    targets: Object.keys(nx?.targets ?? {}),
    sources: listFiles(folder, /\.tsx?$/).map(readSource),
  };
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const imports = [...text.matchAll(STATEMENT), ...text.matchAll(DYNAMIC)].map(
    ([, specifier = '']) => specifier,
  );
  return { path, text, imports, isTest: TEST.test(path) };
}
