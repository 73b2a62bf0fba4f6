import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Codec } from './canonical/codec.js';
import { CLIENT_PROTOCOLS } from './chat/chat-protocols.js';
import type { JsonObject } from './json.js';
import { writeSection } from './matrix/write-list.js';
import { writeConcepts } from './matrix/write-concepts.js';
import { convertRequest, decodeGolden } from './testing/convert-golden.js';
import { CODECS, type Golden, readGoldens } from './testing/read-goldens.js';

const PAGE = new URL('../../../docs/conversions.md', import.meta.url);
const INTRODUCTION = `# Conversions

What becomes of a request when the channel speaks another protocol than the client, and of the answer on its way
back, concept by concept. Written by the tests:
\`UPDATE_GOLDENS=1 npx vitest run --project unit libs/protocols\`.

## Concepts

From the rows in \`libs/protocols/src/matrix\`, each of which is decoded from every client and encoded for every
channel, answers whole and streamed. Listed is what a channel of the protocol is asked, or a client of it is answered. Between two of one protocol the bytes stay as they are.
`;
const GOLDENS = `
## Examples

From the goldens in \`libs/protocols/src/*/__golden__\`, whose folders have these names.

- **native**: the client's own bytes
- **converted**: carried in full
- **without ...**: carried, but for hints that are named in \`x-gateway-dropped\` and the log; with
  \`x-gateway-strict: 1\` a 400
- **refused: ...**: a 400 that names the field, since leaving it out would change what was asked
- **invalid: ...**: no request of the client's own protocol; a 400 on every channel

Which protocol a channel speaks stands in [channels](channels.md).
`;

it('docs/conversions.md says what the codecs do', () => {
  const page = `${INTRODUCTION}${writeConcepts()}${GOLDENS}${CLIENT_PROTOCOLS.map(writeExamples).join('')}`;
  if (process.env.UPDATE_GOLDENS === '1') writeFileSync(PAGE, page);
  expect(readFileSync(PAGE, 'utf8')).toBe(page);
});

function writeExamples(client: string): string {
  const goldens = readGoldens('request.json').filter(({ codec }) => codec.name === client);
  const concepts = goldens.map((golden) => ({
    title: golden.concept,
    outcomes: CODECS.map((to) => ({ protocol: to.name, outcome: describeOutcome(golden, to) })),
  }));
  return writeSection(`Clients of ${client}`, concepts);
}

function describeOutcome(golden: Golden, to: Codec): string {
  const request = decodeGolden(golden);
  if ('refused' in request) return `invalid: ${nameField(request.refused)}`;
  if (golden.codec === to) return 'native';
  const converted = convertRequest(request, { golden, to });
  if ('refused' in converted) return `refused: ${nameField(converted.refused)}`;
  const { dropped } = converted;
  return dropped.length > 0 ? `without ${dropped.map((field) => `\`${field}\``).join(', ')}` : 'converted';
}

/** The field that a refusal names. */
function nameField({ param }: JsonObject): string {
  return `\`${String(param)}\``;
}
