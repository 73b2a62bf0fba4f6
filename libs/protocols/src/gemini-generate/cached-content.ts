import { omitUndefined } from '@mg/contract';
import type { z } from 'zod';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { readObjects } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { ChatEnvelope } from '../chat/chat-envelope.js';
import type { StoredBytes } from '../exchange/stored-bytes.js';
import type { JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { editBody } from '../splice-json.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { type cachedContent, cachedContentChange, newCachedContent } from './cached-content-schema.js';

/** Storage is charged ahead, for an hour: nothing is kept longer. */
export const CACHED_SECONDS = 3_600;
/** What the provider is asked for: its copy outlives ours, which nobody can name any more by then. */
const UPSTREAM_TTL = '"3660s"';
const CACHED_NAMES = ['cachedContent', 'cached_content'];
const NAME = /^cachedContents\/([\w-]{1,64})$/;
/** As providers name theirs: Vertex within a project and a location. */
const UPSTREAM_NAME = /^(?:projects\/[^/]+\/locations\/[^/]+\/)?cachedContents\/[^/]+$/;
const RUN_BY_CALLER = 'functionDeclarations';

/** A prompt that is to be kept. */
export interface NewCachedContentCall {
  readonly envelope: ChatEnvelope;
  readonly displayName: string | undefined;
  readonly ttlSeconds: number;
}

/**
 * Reads the body of `POST cachedContents`, whose names are those of Google's JSON. Tools that the provider runs are refused:
 * what a call pays for is said by the call itself.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://ai.google.dev/api/caching
 */
export function readNewCachedContent(body: Buffer): NewCachedContentCall {
  const parsed = parseRequestBody(body, GEMINI_NAMES);
  const fields = validate(newCachedContent, parsed);
  refuseOthers(parsed, newCachedContent.shape);
  for (const [index, tool] of readObjects(parsed.tools).entries()) {
    const other = Object.keys(tool).find((name) => name !== RUN_BY_CALLER);
    if (other !== undefined) refuseField(`tools[${index}].${other}`, 'cannot be kept: name it in the call');
  }
  return {
    envelope: {
      model: fields.model.replace(/^models\//, ''),
      stream: false,
      includeUsage: false,
      choices: 1,
      maxTokens: 0,
      parsed,
    },
    displayName: fields.displayName ?? undefined,
    ttlSeconds: readTtl(fields, Date.now()) ?? CACHED_SECONDS,
  };
}

/** When a cached content is to end, by the body of a PATCH, in seconds from now. @throws GatewayError `invalid_request` */
export function readCachedContentChange(body: Buffer): number {
  const parsed = parseRequestBody(body, GEMINI_NAMES);
  const fields = validate(cachedContentChange, parsed);
  refuseOthers(parsed, cachedContentChange.shape);
  return readTtl(fields, Date.now()) ?? refuseField('ttl', 'is needed, or expireTime');
}

function refuseOthers(parsed: JsonObject, known: object): void {
  const other = Object.keys(parsed).find((name) => !Object.hasOwn(known, name));
  if (other !== undefined) refuseField(other, 'is not a field of a cached content');
}

/** Whole seconds. */
function readTtl(
  { ttl, expireTime }: z.output<typeof cachedContentChange>,
  nowMs: number,
): number | undefined {
  const isTimed = expireTime !== undefined && expireTime !== null;
  if (ttl === undefined || ttl === null) {
    return isTimed ? checkTtl('expireTime', (Date.parse(expireTime) - nowMs) / 1_000) : undefined;
  }
  if (isTimed) refuseField('expireTime', 'must be left out beside ttl');
  return checkTtl('ttl', Number(ttl.slice(0, -1)));
}

function checkTtl(name: string, seconds: number): number {
  const whole = Math.floor(seconds);
  if (whole >= 1 && whole <= CACHED_SECONDS) return whole;
  return refuseField(
    name,
    `must be from now on for at most ${CACHED_SECONDS} seconds, which are charged ahead`,
  );
}

/** The client's own bytes with the upstream's model, and the time that is charged for. */
export function editNewCachedContent(body: Buffer, upstreamModel: string): Buffer | StoredBytes {
  const model = upstreamModel.includes('/') ? upstreamModel : `models/${upstreamModel}`;
  const changes = new Map([
    ['model', JSON.stringify(model)],
    ['ttl', UPSTREAM_TTL],
    ['expireTime', undefined],
  ]);
  return editBody(body, changes, GEMINI_NAMES);
}

/**
 * The id of the cached content that a request goes on from; `undefined` where it names none.
 *
 * @throws GatewayError `invalid_request` for a name that cannot be one of ours.
 */
export function readCachedContentId(parsed: JsonObject): string | undefined {
  const field = CACHED_NAMES.find((name) => parsed[name] !== undefined && parsed[name] !== null);
  if (field === undefined) return undefined;
  const [, id] = NAME.exec(String(parsed[field])) ?? [];
  return id ?? refuseField('cachedContent', 'must be the name of a cached content, as cachedContents/{id}');
}

/** What a provider answers of a prompt that it keeps; `undefined` where it does not. */
export function readKeptContent(
  answer: JsonObject | undefined,
): { name: string; tokens: number | undefined } | undefined {
  const { name, usageMetadata } = answer ?? {};
  if (typeof name !== 'string' || !UPSTREAM_NAME.test(name)) return undefined;
  const [usage] = readObjects([usageMetadata]);
  const tokens = usage?.totalTokenCount;
  return { name, tokens: Number.isSafeInteger(tokens) && Number(tokens) >= 0 ? Number(tokens) : undefined };
}

/** What is known of a prompt that a provider keeps. */
export interface KeptContent {
  readonly id: string;
  readonly model: string;
  readonly displayName: string | undefined;
  readonly tokens: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly expiresAt: Date;
}

/** A cached content as Google's API shows it. */
export function writeCachedContent(kept: KeptContent): z.output<typeof cachedContent> {
  return omitUndefined({
    name: `cachedContents/${kept.id}`,
    model: `models/${kept.model}`,
    displayName: kept.displayName,
    createTime: kept.createdAt.toISOString(),
    updateTime: kept.updatedAt.toISOString(),
    expireTime: kept.expiresAt.toISOString(),
    usageMetadata: { totalTokenCount: kept.tokens },
  });
}
