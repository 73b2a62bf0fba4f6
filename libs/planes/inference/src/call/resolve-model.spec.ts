import type { CallerToken, Catalog, Model, ModelKind } from '@mg/contract';
import { readThreadMs } from '@mg/testkit';
import { describe, expect, it } from 'vitest';
import { findModel } from './find-model.js';
import { resolveModel } from './resolve-model.js';

const model = (slug: string, aliases: string[] = [], kind: ModelKind = 'chat') =>
  ({ slug, kind, aliases }) as unknown as Model;
const MODELS = [
  model('sonnet', ['claude-*', 'claude-3-5-sonnet-latest']),
  model('haiku', ['claude-*haiku*', 'a*b*c']),
  model('claude-own'),
  model('vectors', ['text-*', 'claude-*'], 'embedding'),
];
const CATALOG = { version: 1, models: new Map(MODELS.map((one) => [one.slug, one])) } as unknown as Catalog;
const caller = (facts: Partial<CallerToken> = {}) => facts as CallerToken;

describe('a name', () => {
  it.each([
    ['sonnet', 'sonnet'],
    ['claude-own', 'claude-own'],
    ['claude-opus-4-1', 'sonnet'],
    ['claude-haiku-4-5', 'haiku'],
    ['claude-3-5-sonnet-latest', 'sonnet'],
    ['my-claude-opus', undefined],
    ['abc', 'haiku'],
    ['a-b-b-c', 'haiku'],
    ['ac', undefined],
    ['Claude-opus', undefined],
    ['claude', undefined],
  ])('%s stands for %s', (name, slug) => {
    expect(resolveModel(CATALOG, name, 'chat')?.slug).toBe(slug);
  });

  it('stands for a model of the kind that is asked for', () => {
    expect(resolveModel(CATALOG, 'text-embedding-3-small', 'embedding')?.slug).toBe('vectors');
    expect(resolveModel(CATALOG, 'text-embedding-3-small', 'chat')).toBeUndefined();
  });

  it('of many wildcards takes no time', () => {
    const hard = { models: new Map([['m', model('m', ['*a'.repeat(64)])]]) } as unknown as Catalog;
    const startedMs = readThreadMs();
    expect(resolveModel(hard, `${'a'.repeat(100_000)}b`)).toBeUndefined();
    expect(readThreadMs() - startedMs).toBeLessThan(1_000);
  });
});

describe('findModel', () => {
  const refusal = (code: string) => expect.objectContaining({ code, param: 'model' });

  it('lets no key get around what it may use by another name', () => {
    const restricted = caller({ allowedModels: new Set(['haiku', 'claude-opus']) });
    const find = (name: string) => findModel(CATALOG, restricted, name, 'chat').slug;
    expect(() => find('claude-opus')).toThrow(refusal('model_not_allowed'));
    expect(find('claude-haiku-4-5')).toBe('haiku');
    const other = caller({ allowedModels: new Set(['haiku']), defaultModel: 'sonnet' });
    expect(() => findModel(CATALOG, other, 'no-such', 'chat')).toThrow(refusal('model_not_allowed'));
  });

  it('gives a key its default for names that nobody has, of the kind that is asked for', () => {
    const set = caller({ defaultModel: 'haiku' });
    expect(findModel(CATALOG, set, 'gemini-3.5-flash-lite', 'chat').slug).toBe('haiku');
    expect(findModel(CATALOG, set, 'sonnet', 'chat').slug).toBe('sonnet');
    expect(() => findModel(CATALOG, set, 'no-such', 'embedding')).toThrow(refusal('model_not_found'));
    expect(() => findModel(CATALOG, set, 'vectors', 'chat')).toThrow(refusal('model_not_found'));
    expect(() => findModel(CATALOG, caller(), 'no-such', 'chat')).toThrow(refusal('model_not_found'));
  });
});
