import { z } from 'zod';
import { checkedApartIfGiven, object, text, textUpTo } from '../schema/fields.js';
import { MAX_CONTENTS } from './request-schema.js';

const MAX_DISPLAY_NAME = 128;
const MAX_MODEL_LENGTH = 256;

const ttl = text.regex(/^\d{1,9}(?:\.\d{1,9})?s$/, 'must be seconds, such as 300s').nullish();
const expireTime = text
  .regex(
    /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/,
    'must be a time by RFC 3339',
  )
  .nullish();

/** How long a cached content is kept. */
export const cachedContentChange = z.looseObject({ ttl, expireTime });

/** @see https://ai.google.dev/api/caching#CachedContent */
export const newCachedContent = z.looseObject({
  model: textUpTo(MAX_MODEL_LENGTH, `must have at most ${MAX_MODEL_LENGTH} characters`)
    .min(1, 'must not be empty')
    .meta({ description: 'models/{slug}' }),
  contents: checkedApartIfGiven(z.array(z.looseObject({})).max(MAX_CONTENTS)),
  systemInstruction: object.nullish(),
  tools: checkedApartIfGiven(z.array(z.looseObject({}))),
  toolConfig: object.nullish(),
  displayName: textUpTo(MAX_DISPLAY_NAME, `must have at most ${MAX_DISPLAY_NAME} characters`).nullish(),
  ttl,
  expireTime,
});

export const cachedContent = z.looseObject({
  name: z.string(),
  model: z.string(),
  displayName: z.string().optional(),
  createTime: z.string(),
  updateTime: z.string(),
  expireTime: z.string(),
  usageMetadata: z.looseObject({ totalTokenCount: z.int() }),
});

export const cachedContents = z.looseObject({
  cachedContents: z.array(cachedContent).optional(),
  nextPageToken: z.string().optional(),
});

export const noCachedContent = z.strictObject({});
