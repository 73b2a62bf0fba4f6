import { expect, it } from 'vitest';
import { betaWords } from './beta-words.js';

it('M5: an event of an upstream that is longer than any is passed on as it is', () => {
  const write = (text: string) =>
    Buffer.from(JSON.stringify({ type: 'conversation.item.added', item: { id: text } }));
  expect(betaWords.toClient(write('i')).toString()).toContain('"conversation.item.created"');
  const long = write('"'.repeat(200_000));
  expect(betaWords.toClient(long) === long).toBe(true);
});
