import type { Json } from '../json.js';
import { countTextTokens } from '../tokens.js';
import type { ExchangeAnswer } from './texts.js';

let made = 0;

/** The fake's answer at Google's path of cached contents; `undefined` for any other path. */
export function findCachedContentAnswerer(path: string): ((body: Json) => ExchangeAnswer) | undefined {
  return path.endsWith('/cachedContents') ? answerCachedContent : undefined;
}

function answerCachedContent({ model, contents, systemInstruction }: Json): ExchangeAnswer {
  const tokens = countTextTokens(JSON.stringify([contents, systemInstruction]));
  made++;
  return {
    status: 200,
    body: {
      name: `cachedContents/upstream${made}`,
      model,
      createTime: '2026-11-25T12:00:00Z',
      updateTime: '2026-11-25T12:00:00Z',
      expireTime: '2026-11-25T13:01:00Z',
      usageMetadata: { totalTokenCount: tokens },
    },
    billed: { promptTokens: tokens },
  };
}
