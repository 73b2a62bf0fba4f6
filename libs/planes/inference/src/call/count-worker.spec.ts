import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, describe, expect, it } from 'vitest';
import { TokenCounter } from './token-counter.js';

const PLAIN_TEXT = { disallowedSpecial: new Set<string>() };
/** Of what the tokenizer tells apart: letters in both cases, marks, digits, spaces, ends of lines, signs, scripts, emoji. */
const PIECES = [
  'aeintsrAEINTSR the of  ing  HTTP  getElementById  世界 漢字 ひらがな 한국어 Привет é ß ǅ ʰ नमस्ते שלום مرحبا ไทย',
  "'s 'LL 0 42 1234567 ٣ ½ Ⅷ / // ... ! => ({ }) \"; 😀 👩‍👩‍👧‍👦 🇩🇪 <|endoftext|> <|fim_prefix|>",
].flatMap((line) => line.split(' '));
/** What a space would not tell apart. */
PIECES.push(
  ' ',
  '  ',
  '\t',
  '\n',
  '\r\n',
  '\n\n',
  '\u00a0',
  '\u3000',
  '\u0301',
  '\ud800',
  '\udc00',
  '\uffff',
  '\0',
  '\ufffd',
);
/** `npm run fuzz` has more of them, from its own seed. */
const TEXTS = process.env.FUZZ_SEED === undefined ? 2_000 : 8_000;
const SEED = Number(process.env.FUZZ_SEED ?? 1);
const FOLDER = import.meta.dirname;

/** The same ones in each run. @see https://en.wikipedia.org/wiki/Linear_congruential_generator */
function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function mixTexts(count: number): string[] {
  const random = createRandom(SEED);
  return Array.from({ length: count }, () =>
    Array.from({ length: 1 + random(12) }, () => PIECES[random(PIECES.length)]).join(''),
  );
}

describe('C1: the tokens of a text', () => {
  const counter = new TokenCounter({ deadlineMs: 20_000, maxWaiting: 100_000 });
  afterAll(() => counter.close());

  /** Those of which another number is counted. */
  async function findDifferent(texts: readonly string[]): Promise<readonly string[]> {
    const counts = await Promise.all(texts.map((text) => counter.count(text)));
    return texts.filter((text, index) => counts[index] !== countTokens(text, PLAIN_TEXT));
  }

  it('are as many as the package counts, for texts of all scripts', async () => {
    expect(await findDifferent(mixTexts(TEXTS))).toEqual([]);
  });

  it('are those of the encoding where it has a byte order mark, which the package takes off before it looks', async () => {
    const marked = ['\ufeff', '\ufeffusing', '\ufeffnamespace', '\ufeff\ufeff'];
    expect(await Promise.all(marked.map((text) => counter.count(text)))).toEqual([1, 1, 1, 1]);
  });

  it('are as many as the package counts, for programs and each of their lines', async () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
    const texts = files.map((name) => readFileSync(join(FOLDER, name), 'utf8'));
    const lines = texts.flatMap((text) => text.split('\n'));
    expect(await findDifferent([...texts, ...lines])).toEqual([]);
  });
});
