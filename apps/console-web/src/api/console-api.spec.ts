import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const DOCUMENT = join(import.meta.dirname, '../../../../libs/planes/console/openapi.json');
const TYPES = join(import.meta.dirname, 'console-api.ts');

it('was made of the current OpenAPI document: `npm run openapi` regenerates it', () => {
  const hash = createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex');
  expect(readFileSync(TYPES, 'utf8')).toContain(hash);
});
