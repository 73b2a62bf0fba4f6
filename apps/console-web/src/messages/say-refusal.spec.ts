import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { sayRefusalInChinese } from './say-refusal.js';

const LIBRARIES = join(import.meta.dirname, '../../../../libs');
const FOLDERS = ['planes/console/src', 'contract/src'].map((folder) => join(LIBRARIES, folder));
/** What the start refuses, and what no page asks for. */
const NOT_OF_THE_PAGE =
  /(?:spec|itest)\.ts$|testing\/|configuration\/|health\/|sso\/|seed\/|environment|hops/;

/** How the API's sentences are written in the code. */
const WRITTEN = [
  /GatewayError\(\s*'\w+',\s*(['`])(.+?)\1\s*[,)]/gs,
  /FieldProblem\(\s*[^,]+,\s*(['`])(.+?)\1/gs,
  /(['`])(must (?:be|not|name) .+?)\1/g,
];
const COMPUTED = 'x7';
/** What is wrong is computed: its rules are written elsewhere. */
const IS_COMPUTED = /^[\w.]+: (?:the (?:wallet|file) )?x7\.?$/;

function listSentences(): string[] {
  const texts = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !NOT_OF_THE_PAGE.test(path))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
  );
  const sentences = texts.flatMap((text) => WRITTEN.flatMap((pattern) => [...text.matchAll(pattern)]));
  return sentences
    .map(([, , words = '']) => words.replaceAll(/\$\{[^}]*\}/g, COMPUTED).replaceAll('\\`', '`'))
    .filter((sentence) => !IS_COMPUTED.test(sentence));
}

describe('refusals of the API in Chinese', () => {
  it('are there for every sentence that the code refuses with', () => {
    const sentences = listSentences();
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter((text) => !/\p{Script=Han}/u.test(sayRefusalInChinese(text)))).toEqual([]);
  });

  it.each([
    ['spending_quota: must be at least 3 characters long', 'spending_quota：至少需要 3 个字符'],
    ['must be at least 3', '至少为 3'],
    ['Must be an e-mail address', '必须是邮箱地址'],
    ['name: there is a wallet of this name.', 'name：已有同名的钱包'],
    ['There is no model "acme/chat:free".', '没有模型“acme/chat:free”'],
    ['limits.rpm: must be a whole number', 'limits.rpm：必须是整数'],
    ['content: the file is wrong: line 3: slug: is required', 'content：文件有误：line 3: slug: is required'],
    ['content: the file has 3 cells in line 7, and 4 columns', 'content：文件第 7 行有 3 格，而列数为 4'],
  ])('%s', (sentence, said) => {
    expect(sayRefusalInChinese(sentence)).toBe(said);
  });

  it('leave what they do not know as it is', () => {
    expect(sayRefusalInChinese('Incorrect API key provided: sk-…')).toBe('Incorrect API key provided: sk-…');
  });
});
