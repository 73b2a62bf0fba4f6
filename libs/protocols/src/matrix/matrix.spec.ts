import { describe, expect, it } from 'vitest';
import { nameField } from '../canonical/name-field.js';
import { findUpstreamProtocol } from '../chat/chat-protocols.js';
import { convertRequest, findDestination, listClients } from './convert-request.js';
import { ALL_WIRES, type Destination, Refused, Warned, type Wire, WIRES } from './row.js';
import { REQUEST_SECTIONS } from './sections.js';

/** A field by its name, or by the end of its name. */
function toPattern(field: string): RegExp {
  const isEnd = field.startsWith('*');
  const name = (isEnd ? field.slice(1) : field).replaceAll(/[.[\]]/g, String.raw`\$&`);
  return new RegExp(`${isEnd ? '' : '^'}${name}$`);
}

/** What has to become of a request, as part of what {@link convertRequest} answers. */
function expectDestination(landing: Destination, client: Wire): object {
  const name = (field: string) => nameField(field, findUpstreamProtocol(WIRES[client]));
  if (landing instanceof Refused) {
    return landing.field === undefined ? { isPlace: true } : { refused: name(landing.field) };
  }
  const [fields, body] = landing instanceof Warned ? [landing.fields, landing.body] : [[], landing];
  return { dropped: fields.map((field) => expect.stringMatching(toPattern(name(field)))), body };
}

describe.each(Object.entries(REQUEST_SECTIONS))('requests: %s', (_, rows) => {
  describe.each(rows)('$concept', (row) => {
    const pairs = listClients(row).flatMap((client) => ALL_WIRES.map((channel) => ({ client, channel })));
    it.each(pairs)('$client to $channel', ({ client, channel }) => {
      const expected = expectDestination(findDestination(row, channel), client);
      expect(convertRequest(row, client, channel)).toMatchObject(expected);
    });
  });
});
