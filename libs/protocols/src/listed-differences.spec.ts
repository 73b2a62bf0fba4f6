import { describe, expect, it } from 'vitest';
import { LISTED_DIFFERENCES } from './testing/listed-differences.js';
import { readGoldens, readJson } from './testing/read-goldens.js';

/** Goldens that come back from their own codec as something else. */
const found = ['request', 'reply'].flatMap((kind) =>
  readGoldens(`${kind}.again.json`).map((golden) => ({
    golden,
    kind,
    name: `${golden.codec.name}: ${golden.concept}`,
  })),
);

describe('a golden that comes back from its own codec as something else', () => {
  it('has a reason, and a reason has goldens', () => {
    const listed = Object.values(LISTED_DIFFERENCES).flat();
    expect(found.map(({ name }) => name).sort()).toEqual(listed.sort());
  });

  it.each(found)('differs still: $name', ({ golden, kind }) => {
    expect(readJson(golden, `${kind}.again.json`)).not.toEqual(readJson(golden, `${kind}.json`));
  });
});
