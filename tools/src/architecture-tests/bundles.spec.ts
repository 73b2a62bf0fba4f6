import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readProjects, ROOT, withoutComments } from './workspace.js';

/** Stays outside the bundles, and is in no image. */
const OUTSIDE = ['libs/embedded/', 'libs/testkit/'];

const bundler = readFileSync(join(ROOT, 'tools/src/bundle-app.mjs'), 'utf8');
const placed = readProjects()
  .filter(({ folder }) => folder.startsWith('libs/'))
  .flatMap(({ sources }) => sources)
  .filter(({ path, isTest }) => !isTest && !OUTSIDE.some((folder) => path.startsWith(folder)))
  .filter((source) => withoutComments(source).includes('import.meta'));

describe('a bundle', () => {
  it.each(placed)('has the file that $path finds by its own place', ({ path, text }) => {
    const started = [...text.matchAll(/'\.\/([\w-]+)\.js',\s*import\.meta/g)].map(([, name]) => name);
    const replaced = `/${path.replace('/src/', '/dist/').replace(/\.ts$/, '.js')}`;
    const wanted = started.length > 0 ? started.map((name) => `'${name}': `) : [replaced];
    expect(wanted.filter((words) => !bundler.includes(words))).toEqual([]);
  });
});
