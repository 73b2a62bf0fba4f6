import { isObject, type Json } from '../json.js';
import { countTextTokens } from '../tokens.js';
import type { ExchangeAnswer } from './texts.js';

/** Of Vertex, which names by the number of a project what belongs to it by its id. */
const VERTEX = /^\/v1\/(projects\/[^/]+\/(locations\/[^/]+))\/cachedContents$/;
const PROJECT_NUMBER = 'projects/123456789012';

let made = 0;

/** The fake's answer at Google's paths of cached contents; `undefined` for any other path. */
export function findCachedContentAnswerer(path: string): ((body: Json) => ExchangeAnswer) | undefined {
  const [, parent, location] = VERTEX.exec(path) ?? [];
  if (parent !== undefined) {
    return (body) =>
      refuseOfVertex(parent, body) ?? answerCachedContent(body, `${PROJECT_NUMBER}/${location}/`);
  }
  return path.endsWith('/cachedContents') ? (body) => answerCachedContent(body, '') : undefined;
}

/** Vertex wants a model named in full, and a role for each turn. */
function refuseOfVertex(parent: string, { model, contents }: Json): ExchangeAnswer | undefined {
  const isNamed = typeof model === 'string' && model.startsWith(`${parent}/publishers/google/models/`);
  const turns: unknown[] = Array.isArray(contents) ? contents : [];
  const hasRoles = turns.every((turn) => isObject(turn) && turn['role'] !== undefined);
  if (isNamed && hasRoles) return undefined;
  const message = isNamed
    ? 'Please use a valid role: user, model.'
    : 'Invalid resource field value in the request.';
  return { status: 400, body: { error: { code: 400, message, status: 'INVALID_ARGUMENT' } }, billed: {} };
}

function answerCachedContent({ model, contents, systemInstruction }: Json, parent: string): ExchangeAnswer {
  const tokens = countTextTokens(JSON.stringify([contents, systemInstruction]));
  made++;
  return {
    status: 200,
    body: {
      name: `${parent}cachedContents/upstream${made}`,
      model,
      createTime: '2026-11-25T12:00:00Z',
      updateTime: '2026-11-25T12:00:00Z',
      expireTime: '2026-11-25T13:01:00Z',
      usageMetadata: { totalTokenCount: tokens },
    },
    billed: { promptTokens: tokens },
  };
}
