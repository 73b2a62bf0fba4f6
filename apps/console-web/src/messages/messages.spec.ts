import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { en } from './en.js';
import { zh } from './zh.js';
import { zhDefaults, zhEnvironment } from './zh-environment.js';

const SOURCES = join(import.meta.dirname, '..');

/** Text between tags, and in attributes that are read out or shown. */
const LITERALS = [
  /(?<!=)>\s*(\p{L}[^<>{}();=]*)<\//gu,
  /\s(?:title|label|placeholder|alt|aria-label|text|hint|caption|note)="([^"]*\p{L}{2,}[^"]*)"/gu,
];

/** Views whose texts are found by what is chosen there. */
const INDEXED: ReadonlySet<string> = new Set(['product', 'language', 'theme']);

function listKeys(value: unknown, path = ''): string[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([key, inner]) => listKeys(inner, `${path}.${key}`));
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

describe('the messages', () => {
  it('say the same things in every language', () => {
    expect(listKeys(zh)).toEqual(listKeys(en));
  });

  it('are nowhere empty', () => {
    expect([...listTexts(en), ...listTexts(zh)].filter((text) => text.trim() === '')).toEqual([]);
  });

  it('C18: call planes services in Chinese', () => {
    expect(listTexts(zh).filter((text) => text.includes('平面'))).toEqual([]);
  });

  it('describe every setting of the environment in Chinese', () => {
    const documented = readFileSync(join(SOURCES, '../../../docs/configuration.md'), 'utf8');
    const rows = [...documented.matchAll(/^\| `([A-Z0-9_]+)` \| (.*?) \| .* \|$/gm)];
    const names = [...new Set(rows.map(([, name = '']) => name))];
    expect(names.length).toBeGreaterThan(50);
    expect(Object.keys(zhEnvironment).toSorted()).toEqual(names.toSorted());
    const words = rows
      .map(([, , byDefault = '']) => byDefault)
      .filter((text) => /^[a-z]{4,}[ ;:]|^none/.test(text));
    expect(words.filter((text) => !(text in zhDefaults))).toEqual([]);
  });

  it('are all used', () => {
    const sources = readSources().join('\n');
    const unused = Object.entries(en)
      .filter(([view]) => !INDEXED.has(view))
      .flatMap(([view, texts]) => Object.keys(texts).map((key) => [view, key] as const))
      .filter(([, key]) => !new RegExp(`\\b${key}\\b`).test(sources));
    expect(unused).toEqual([]);
  });

  it('hold every text that a view shows', () => {
    const literals = readSources().flatMap((text) =>
      LITERALS.flatMap((pattern) => [...text.matchAll(pattern)].map(([, literal]) => literal?.trim())),
    );
    expect(literals).toEqual([]);
  });
});

/** Components, views and their hooks; comments and types in angle brackets are no texts. */
function readSources(): string[] {
  return readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.tsx') || /\/use-[\w-]+\.ts$/.test(path))
    .map((path) => readFileSync(join(SOURCES, path), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''));
}
