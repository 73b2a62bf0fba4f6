import { describe, expect, it } from 'vitest';
import { findCodec } from '../chat/chat-protocols.js';
import { readGoldens, readText } from '../testing/read-goldens.js';
import { decodeStream } from '../testing/read-stream.js';
import { writeEvents } from './convert-answer.js';
import { ALL_WIRES, type Wire, WIRES } from './row.js';
import { STREAM_ROWS } from './streams.js';

/** The events of a golden. */
function readEvents(wire: Wire, concept: string) {
  const golden = readGoldens('stream.sse').find(
    ({ codec, concept: name }) => codec.name === WIRES[wire] && name === concept,
  );
  if (!golden) throw new Error(`there is no golden ${WIRES[wire]}/${concept}`);
  return decodeStream(findCodec(WIRES[wire]), [Buffer.from(readText(golden, 'stream.sse'))]);
}

describe.each(STREAM_ROWS)('streams: $concept', ({ ends, goldens }) => {
  const shown = ALL_WIRES.flatMap((wire) => (goldens[wire] ?? []).map((concept) => ({ wire, concept })));
  const last = ends === 'failure' ? 'fault' : 'reply-end';

  it.each(shown)(`$wire: $concept ends in a ${ends}, for clients of every protocol`, ({ wire, concept }) => {
    const events = readEvents(wire, concept);
    const lastTypes = ALL_WIRES.map((client) => [client, writeEvents(events, client).at(-1)?.type]);
    expect([events.at(-1)?.type, Object.fromEntries(lastTypes)]).toEqual([
      last,
      Object.fromEntries(ALL_WIRES.map((client) => [client, last])),
    ]);
  });
});

it('every golden of a stream shows something', () => {
  const listed = STREAM_ROWS.flatMap(({ goldens }) =>
    ALL_WIRES.flatMap((wire) => (goldens[wire] ?? []).map((concept) => `${WIRES[wire]}: ${concept}`)),
  );
  const plain = /: stream-(?:text|calls?|cached-hour|reasoning|call-signed|function-call)$/;
  const odd = readGoldens('stream.sse').map(({ codec, concept }) => `${codec.name}: ${concept}`);
  expect(odd.filter((name) => !plain.test(name) && !listed.includes(name))).toEqual([]);
});
