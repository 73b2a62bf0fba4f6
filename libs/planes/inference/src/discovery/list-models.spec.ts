import type { CallerToken, Catalog, Model } from '@mg/contract';
import { expect, it } from 'vitest';
import { listGeminiModels } from './list-models.js';

const catalogOf = (...kinds: Model['kind'][]) =>
  ({ models: new Map(kinds.map((kind) => [kind, { slug: kind, kind }])) }) as unknown as Catalog;

it('tells clients of Google which of their calls a model answers, an image model too', () => {
  const { models } = listGeminiModels({} as CallerToken, catalogOf('chat', 'embedding', 'image', 'video'));
  expect(models.map((model) => [model.name, model.supportedGenerationMethods])).toEqual([
    ['models/chat', ['generateContent', 'countTokens', 'batchGenerateContent']],
    ['models/embedding', ['embedContent', 'batchEmbedContents', 'asyncBatchEmbedContent']],
    ['models/image', ['generateContent']],
    ['models/video', []],
  ]);
});
