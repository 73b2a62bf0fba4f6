import { describe, expect, it } from 'vitest';
import { findCodec } from '../chat/chat-protocols.js';
import { collectStream } from '../testing/read-stream.js';
import { convertAnswer, listReaders, listUpstreams, streamAnswer, writeEvents } from './convert-answer.js';
import { ALL_WIRES, WIRES } from './row.js';
import { ANSWER_SECTIONS } from './sections.js';

describe.each(Object.entries(ANSWER_SECTIONS))('answers: %s', (_, rows) => {
  describe.each(rows)('$concept', (row) => {
    const upstreams = listUpstreams(row);
    const pairs = upstreams.flatMap((upstream) => listReaders(row).map((client) => ({ upstream, client })));
    it.each(pairs)('$upstream to $client', ({ upstream, client }) => {
      expect(convertAnswer(row, upstream, client)).toMatchObject(
        row.to?.[client] ?? row.said?.[client] ?? {},
      );
    });

    const streams = upstreams.flatMap((upstream) => ALL_WIRES.map((client) => ({ upstream, client })));
    it.each(row.streamedOtherwise === undefined ? streams : [])(
      '$upstream to $client, streamed, comes to the same',
      ({ upstream, client }) => {
        const whole = findCodec(WIRES[client]).decodeReply(convertAnswer(row, upstream, client));
        const streamed = collectStream(streamAnswer(row, upstream, client));
        expect(streamed).toEqual(collectStream(writeEvents(whole, client)));
      },
    );
  });
});
