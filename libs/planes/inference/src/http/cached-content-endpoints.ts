import {
  type CallerToken,
  findUnstorableText,
  GatewayError,
  omitUndefined,
  UNSTORABLE_RULE,
} from '@mg/contract';
import type { CachedContent } from '@mg/persistence/gateway';
import {
  findChatProtocol,
  readCachedContentChange,
  readNewCachedContent,
  writeCachedContent,
} from '@mg/protocols';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { billed } from '../call/billed-call.js';
import { type FreeCall, free, freeWithBody } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import type { BilledEndpoint } from '../call/operation.js';
import { needJson } from '../call/receive.js';
import { CachedContentOperation } from '../operations/cached-content/cached-content-operation.js';
import { readCached } from '../operations/cached-content/read-cached.js';
import { ChatRequest } from '../operations/chat/chat-request.js';
import { inlineStoredFiles } from '../call/inline-stored-files.js';
import { serve } from './serve-route.js';

/** Google's current SDKs ask for `/v1`; what is served is the same. */
const VERSIONS = ['v1', 'v1beta'];
const DIALECT = 'gemini-generate';
const ID = /^[\w-]{1,64}$/;
const MAX_CHANGE_BYTES = 4 * 1024;
/** Cached contents of one wallet. */
const MAX_HELD = 100;
/** What Google takes as a page. */
const MAX_PAGE = 1_000;
const RETRY_AFTER_SECONDS = 60;

/** Prompts that providers keep: https://ai.google.dev/api/caching */
export function registerCachedContents(scope: FastifyInstance, gateway: GatewayContext): void {
  for (const path of VERSIONS.map((version) => `/${version}/cachedContents`)) {
    serve(scope, path, DIALECT, {
      POST: billed(createContent(path), gateway),
      GET: free(gateway, (caller, request) => listContents(caller, request, gateway)),
    });
    serve(scope, `${path}/:contentId`, DIALECT, {
      GET: free(gateway, async (caller, request) =>
        writeCachedContent(await findContent(caller, request, gateway)),
      ),
      PATCH: freeWithBody(gateway, changeContent, MAX_CHANGE_BYTES),
      DELETE: free(gateway, (caller, request) => deleteContent(caller, request, gateway)),
    });
  }
}

function createContent(path: string): BilledEndpoint {
  return {
    path,
    dialect: DIALECT,
    async open(received, request, gateway, call) {
      const { walletId } = call.caller;
      const sent = needJson(received);
      const { parsed } = readNewCachedContent(sent).envelope;
      const { files } = findChatProtocol(DIALECT);
      const body = (await inlineStoredFiles({ body: sent, parsed, files }, request, call, gateway)) ?? sent;
      const content = readNewCachedContent(body);
      if (findUnstorableText({ displayName: content.displayName }) !== undefined) {
        throw refuse('displayName', UNSTORABLE_RULE);
      }
      if ((await readCached(gateway.cachedContents.count(walletId))) >= MAX_HELD) {
        throw new GatewayError(
          'rate_limited',
          `The wallet of this API key holds ${MAX_HELD} cached contents.`,
          {
            retryAfter: RETRY_AFTER_SECONDS,
          },
        );
      }
      const chat = new ChatRequest(DIALECT, content.envelope, body, request.headers);
      return new CachedContentOperation(chat, content, walletId, gateway);
    },
  };
}

async function listContents({ walletId }: CallerToken, { query }: FastifyRequest, gateway: GatewayContext) {
  const { pageSize = String(MAX_HELD), pageToken = '' } = query as Record<string, string>;
  const wanted = /^\d{1,4}$/.test(pageSize) ? Number(pageSize) : 0;
  if (wanted < 1 || wanted > MAX_PAGE) throw refuse('pageSize', `must be an integer from 1 to ${MAX_PAGE}`);
  const limit = Math.min(wanted, MAX_HELD);
  if (pageToken !== '' && !ID.test(pageToken)) throw refuse('pageToken', 'is not one of ours');
  const found = await readCached(gateway.cachedContents.list(walletId, pageToken, limit + 1));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return omitUndefined({
    cachedContents: page.map(writeCachedContent),
    nextPageToken: found.length > limit && last ? last.id : undefined,
  });
}

/** It can end sooner or later than it did, within the time that was charged for. */
async function changeContent({ caller, request, body }: FreeCall, gateway: GatewayContext) {
  const content = await findContent(caller, request, gateway);
  const until = new Date(Date.now() + readCachedContentChange(body) * 1_000);
  if (until > content.paidUntil) {
    throw refuse('ttl', `must end by ${content.paidUntil.toISOString()}, until when it was charged for`);
  }
  const changed = await readCached(gateway.cachedContents.keepUntil(caller.walletId, content.id, until));
  return writeCachedContent(changed ?? refuseUnknown());
}

/** Nobody can name it any more; what the provider holds ends by itself, within the time that was charged for. */
async function deleteContent(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { id } = await findContent(caller, request, gateway);
  await readCached(gateway.cachedContents.delete(caller.walletId, id));
  return {};
}

/** @throws GatewayError `not_found` for unknown ones and for those of other wallets alike, `service_unavailable`. */
async function findContent(
  { walletId }: CallerToken,
  { params }: FastifyRequest,
  { cachedContents }: GatewayContext,
): Promise<CachedContent> {
  const { contentId } = params as { contentId: string };
  const content = ID.test(contentId) ? await readCached(cachedContents.find(walletId, contentId)) : undefined;
  return content ?? refuseUnknown();
}

function refuseUnknown(): never {
  throw new GatewayError('not_found', 'There is no cached content of this name.', { param: 'name' });
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}
