import { describe, expect, it } from 'vitest';
import { readProjects } from './workspace.js';

/** Libraries that export whole files. */
const EXPORT_FILES = ['libs/runtime', 'libs/transport'];

const projects = readProjects();
const sources = projects.flatMap((project) => project.sources);
const libraries = projects.filter(
  ({ folder }) => /^libs\/[^/]+$/.test(folder) && !EXPORT_FILES.includes(folder),
);
const entries = libraries.flatMap((library) => library.entries);

/** The names between the braces of each statement that a pattern finds. */
function listNames(text: string, statement: RegExp): string[] {
  return [...text.matchAll(statement)].flatMap(([, names = '']) =>
    names
      .split(',')
      .map((name) =>
        name
          .trim()
          .replace(/^type /, '')
          .replace(/ as .*$/, ''),
      )
      .filter((name) => name !== ''),
  );
}

function importsOf(specifier: string): ReadonlySet<string> {
  const statement = new RegExp(`^(?:import|export) (?:type )?\\{([^}]*)\\} from '${specifier}'`, 'gm');
  return new Set(sources.flatMap(({ text }) => listNames(text, statement)));
}

describe('a library', () => {
  it.each(entries)('exports by $specifier what somebody imports, by name', ({ specifier, path }) => {
    const text = sources.find((source) => source.path === path)?.text ?? '';
    const exported = listNames(text, /^export (?:type )?\{([^}]*)\} from/gm);
    const imported = importsOf(specifier);
    expect(exported).not.toEqual([]);
    expect(text).not.toMatch(/^export \*/m);
    expect(exported.filter((name) => !imported.has(name))).toEqual([]);
  });
});
