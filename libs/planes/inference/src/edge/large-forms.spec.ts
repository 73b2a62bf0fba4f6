import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { expect, it } from 'vitest';
import { BodyBudget } from './body-budget.js';
import { keepPart } from './keep-part.js';
import { fingerprintForm, readForm } from './read-form.js';
import { Spool } from './spool.js';

const MEBIBYTE = 1024 * 1024;

/** Where nothing is spooled. */
function openRoom() {
  return {
    lease: new BodyBudget(64 * MEBIBYTE).open('one'),
    spool: new Spool('/nowhere', new BodyBudget(MEBIBYTE)),
  };
}

/** Turns of the event loop that pass while something is done. */
async function countTurns(work: Promise<unknown>): Promise<number> {
  const counted = { turns: 0, isOver: false };
  void work.finally(() => (counted.isOver = true));
  for (; !counted.isOver; counted.turns++) await setImmediate();
  return counted.turns;
}

const SMALL = Buffer.alloc(256 * 1024, 'a');

it.each([
  ['many parts', Array.from({ length: 32 }, (_, at) => ({ name: `field-${at}`, bytes: SMALL }))],
  ['one large part', [{ name: 'image', bytes: Buffer.alloc(32 * SMALL.length) }]],
])('M5: a form of %s is hashed in steps', async (_name, parts) => {
  expect(await countTurns(fingerprintForm(parts))).toBeGreaterThanOrEqual(16);
});

it('M5: a large file in memory is joined in steps', async () => {
  const chunk = Buffer.alloc(64 * 1024, 'a');
  const file = Readable.from(Array.from({ length: 128 }, () => chunk));
  const kept = keepPart(file, { maxBytesInMemory: 8 * MEBIBYTE, checkHead: () => {} }, openRoom());
  expect(await countTurns(kept)).toBeGreaterThanOrEqual(16);
  expect(await kept).toHaveLength(8 * MEBIBYTE);
});

const LIMITS = {
  maxFiles: 2,
  maxBytesPerFile: MEBIBYTE,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 2,
  maxBytesPerField: 100,
  maxBytes: 2 * MEBIBYTE,
  isLongField: (name: string) => name === 'speaker',
};

function readFields(fields: Readonly<Record<string, string>>) {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const raw = Readable.from([Buffer.from(`${parts.join('')}--edge--\r\n`)]);
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' };
  return readForm({ headers, raw } as unknown as FastifyRequest, LIMITS, openRoom());
}

it('a field that may be long is kept as it came, without being decoded', async () => {
  const { parts } = await readFields({ speaker: 'x'.repeat(8_000), other: 'y' });
  expect(parts).toEqual([
    { name: 'speaker', bytes: Buffer.alloc(8_000, 'x') },
    { name: 'other', bytes: Buffer.from('y') },
  ]);
});

it('any other field is refused by name where it is long', async () => {
  await expect(readFields({ other: 'y'.repeat(101) })).rejects.toThrow('other may hold at most 100 bytes.');
});
