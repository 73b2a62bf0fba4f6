// Writes the types of the Console's API for the page, from the OpenAPI document that the console plane keeps.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { format } from 'oxfmt';

const DOCUMENT = join(import.meta.dirname, '../../libs/planes/console/openapi.json');
const STYLE = join(import.meta.dirname, '../../.oxfmtrc.json');
const TYPES = join(import.meta.dirname, 'src/api/console-api.ts');

const text = readFileSync(DOCUMENT, 'utf8');
const nodes = await openapiTypescript(text, {
  immutable: true,
  // What has a default may be left out of a request.
  defaultNonNullable: false,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
});
const types = `/* oxlint-disable max-lines -- generated: \`npm run openapi\` regenerates it */
// Made of libs/planes/console/openapi.json, sha256 ${createHash('sha256').update(text).digest('hex')}.
${astToString(nodes)}`;
const style = JSON.parse(readFileSync(STYLE, 'utf8'));
writeFileSync(TYPES, (await format(TYPES, types, style)).code);
