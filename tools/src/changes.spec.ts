import { describe, expect, it } from 'vitest';
import { listTested } from './changes.mjs';

const FILES_SPEC = 'tools/src/architecture-tests/files.spec.ts';

describe('what `npm run check` tests', () => {
  it('is what imports the changed code, and what reads all source', () => {
    const tested = listTested(['libs/pricing/src/index.ts']);
    expect(tested).toContain('libs/pricing/src/index.ts');
    expect(tested).toContain(FILES_SPEC);
    expect(tested).not.toContain('libs/pricing/src/bill-usage.spec.ts');
  });

  it('is every test of a project whose files of other kinds have changed, and those that name them', () => {
    const tested = listTested(['libs/planes/console/openapi.json', 'docs/conversions.md']);
    expect(tested).toContain('libs/planes/console/src/http/openapi-document.spec.ts');
    expect(tested).toContain('apps/console-web/src/api/console-api.spec.ts');
    expect(tested).toContain('libs/protocols/src/conversion-table.spec.ts');
    expect(tested).not.toContain('libs/routing/src/channel-health.spec.ts');
  });

  it('is everything where the dependencies have changed', () => {
    expect(listTested(['package-lock.json'])).toBeUndefined();
  });
});
