import { type JournalRow, newId, NO_USAGE } from '@mg/contract';
import { describe, expect, it } from 'vitest';
import { nameSegment, readSegment, readSegmentOwner, spellInstance, writeLine } from './segment-file.js';

const EPOCH = '0b0e5c2e-4f0a-4c39-9c1e-0123456789ab';

function row(): JournalRow {
  return {
    requestId: newId(),
    seq: 1_000_000,
    phase: 'usage',
    usage: { ...NO_USAGE, inputTokens: 12, webSearches: 1, tier: 'priority', variant: 'ü\0' },
    estimated: true,
    payer: { walletId: newId(), tokenId: newId(), priceVersionId: newId() },
  };
}

describe('a segment of the usage spool', () => {
  it('holds what was written', () => {
    const rows = [row(), { ...row(), lease: { id: newId(), worst: 10n ** 17n } }];
    expect(readSegment(rows.map(writeLine).join(''))).toEqual({ rows, damaged: [] });
  });

  it('F11: holds what the attempts of a call wasted, also where the call itself costs nothing', () => {
    const wasted = {
      attempt: 1,
      channel: 'a',
      reason: 'timed_out',
      usage: { ...NO_USAGE, inputTokens: 7 },
    } as const;
    const charged = { ...row(), waste: [wasted] };
    const cancelled = { ...charged, phase: 'cancel', usage: NO_USAGE, estimated: false } as const;
    expect(readSegment([charged, cancelled].map(writeLine).join(''))).toEqual({
      rows: [charged, cancelled],
      damaged: [],
    });
  });

  it('ends where its process was killed: a row that was half written is not there', () => {
    const [whole, torn] = [row(), row()];
    const text = writeLine(whole) + writeLine(torn);
    for (let cut = writeLine(whole).length; cut < text.length; cut++) {
      expect(readSegment(text.slice(0, cut))).toEqual({ rows: [whole], damaged: [] });
    }
  });

  it.each(['no JSON', '1', 'null', '{}', '{"request_id":"1","seq":1,"usage":{},"estimated":true}'])(
    'tells %s from a row',
    (line) => {
      const good = row();
      expect(readSegment(`${line}\n${writeLine(good)}`)).toEqual({ rows: [good], damaged: [line] });
    },
  );

  it.each(['gateway/pod-a:8080', '../../etc', 'a.b', `ü ${'x'.repeat(300)}`])(
    'has a name within its directory that says whose it is: %s',
    (instance) => {
      const name = nameSegment({ instance, epoch: EPOCH }, 7);
      expect(name).not.toContain('/');
      expect(name.length).toBeLessThan(256);
      expect(readSegmentOwner(name)).toEqual({ instance: spellInstance(instance), epoch: EPOCH });
    },
  );

  it('is not mistaken for what else lies in its directory', () => {
    for (const name of ['refused.jsonl', `a.${EPOCH}.jsonl`, 'notes.txt']) {
      expect(readSegmentOwner(name)).toBeUndefined();
    }
  });
});
