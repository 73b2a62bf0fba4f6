import { type Phrase, readPhrases } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { readProjects } from './workspace.js';

/** Where attempts and video tasks are told of, and in which words of the code. */
const WRITERS: readonly { readonly folders: RegExp; readonly written: RegExp }[] = [
  { folders: /^libs\/planes\/video\/src\/drive\//, written: /\bnote: (?:[\w. ]+ \? )?(['`])(.+?)\1/g },
  { folders: /^libs\/planes\/video\/src\/drive\//, written: /\bnoteRefused\(claim, (['`])(.+?)\1/g },
  { folders: /^libs\/planes\/inference\/src\/operations\/video\//, written: /\bnote: (['`])(.+?)\1/g },
  { folders: /^libs\/persistence\/src\/tasks\//, written: /\bstep\((?:runner, )?\w+, claim, (['`])(.+?)\1/g },
  { folders: /^libs\/planes\/inference\/src\/call\//, written: /\breason(?::| =) (['`])([^'`]+ .*?)\1/g },
  { folders: /^libs\/transport\/src\/upstream\//, written: /\bUpstreamFailure\('\w+', (['`])(.+?)\1/g },
];

const sources = readProjects().flatMap((project) => project.sources.filter(({ isTest }) => !isTest));

const COMPUTED = '7';

/** Values in the place of what is computed: of a limit the sentence that names it, else some number. */
function fillIn(text: string): string {
  return text
    .replace(/\$\{nameLimit\([^)]*\)\}/, "the channel's limit of 60 requests per minute")
    .replace(/\$\{(?:attempt|other|line\.attempt)\.reason\}/, 'priority 0')
    .replace('${why}', 'another call finds out whether it is back')
    .replace("${cause ?? 'failure'}", 'failure')
    .replaceAll(/\$\{[^}]*\}/g, COMPUTED);
}

describe('what is written of attempts and video tasks', () => {
  it.each(WRITERS)(
    'is made of phrases that the page has in every language: $written',
    ({ folders, written }) => {
      const texts = sources
        .filter(({ path }) => folders.test(path))
        .flatMap(({ text }) => [...text.matchAll(written)].map(([, , words = '']) => words));
      expect(texts.length).toBeGreaterThan(0);
      expect(texts.filter((text) => readPhrases(fillIn(text)).some(isNoPhrase))).toEqual([]);
    },
  );
});

/** Words of a provider, after a colon, are computed. */
function isNoPhrase({ code, values }: Phrase): boolean {
  return code === 'other' && values[0] !== COMPUTED;
}
