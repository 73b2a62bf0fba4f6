import { type CallerToken, GatewayError, newId } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import { readAnthropicFile, writeAnthropicFile } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { free } from '../call/free-call.js';
import type { GatewayContext } from '../call/gateway-context.js';
import { readStored } from '../call/read-stored-files.js';
import type { Handler } from '../call/tracked-call.js';
import { ANTHROPIC_FILE_PAGE } from '../edge/page-sizes.js';
import { readForm } from '../edge/read-form.js';
import { toContent } from '../operations/batches/to-content.js';
import { fileIdOf, findWalletFile } from './find-wallet-file.js';
import { type CursorPage, readCursorPage, writeCursorPage } from './read-cursor-page.js';
import { UPLOAD_LIMITS } from './upload-limits.js';

/** Anthropic's files are those of OpenAI's API that calls may name. */
const PURPOSE = 'user_data';
/** Ids that a list may be asked for. */
const MAX_IDS = 100;

/** Anthropic's Files API, which stands at the paths of OpenAI's: https://platform.claude.com/docs/en/build-with-claude/files */
export function anthropicFileHandlers(gateway: GatewayContext): {
  readonly upload: Handler;
  readonly list: Handler;
  readonly show: Handler;
  readonly remove: Handler;
  readonly download: Handler;
} {
  return {
    upload: free(gateway, (caller, request) => uploadFile(caller, request, gateway), gateway.shares.counts),
    list: free(gateway, (caller, request) => listFiles(caller, request, gateway)),
    show: free(gateway, async (caller, request) =>
      writeAnthropicFile(await findFile(caller, request, gateway)),
    ),
    remove: free(gateway, (caller, request) => deleteFile(caller, request, gateway)),
    download: free(gateway, (caller, request) => refuseDownload(caller, request, gateway)),
  };
}

/** Keeping costs nothing, so only a wallet that holds something may have us keep. */
async function uploadFile(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  await gateway.funds.need(caller);
  const lease = gateway.bodies.open(caller.id);
  try {
    const { parts } = await readForm(request, UPLOAD_LIMITS, { lease, spool: gateway.spool });
    const { bytes, ...facts } = readAnthropicFile(parts);
    const file = { id: `file_${newId().replaceAll('-', '')}`, purpose: PURPOSE, ...facts };
    return writeAnthropicFile(
      await readStored(gateway.files.upload(caller.walletId, file, toContent(bytes))),
    );
  } finally {
    lease.release();
  }
}

async function listFiles(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const query = request.query as Readonly<Record<string, unknown>>;
  const page = readCursorPage(request, ANTHROPIC_FILE_PAGE);
  const ids = readIds(query);
  const read = () => (ids ? findNamed(caller, ids, gateway) : findPage(caller, page, gateway));
  // No file of ours belongs to a session.
  const found = query.scope_id === undefined ? await read() : [];
  const shown = writeCursorPage(found, ids ? { ...page, limit: MAX_IDS } : page, writeAnthropicFile);
  return { ...shown, next_page: page.before === undefined && shown.has_more ? shown.last_id : null };
}

/** The SDK for JavaScript writes `ids[]`. @throws GatewayError `invalid_request` for too many. */
function readIds(query: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const named = query['ids[]'] ?? query.ids;
  if (named === undefined) return undefined;
  const ids = [...new Set([named].flat().map(String))];
  if (ids.length <= MAX_IDS) return ids;
  throw new GatewayError('invalid_request', `ids must be at most ${MAX_IDS}.`, { param: 'ids' });
}

/** Those of some files that are there, the newest first. */
async function findNamed({ walletId }: CallerToken, ids: readonly string[], { files }: GatewayContext) {
  const found = await readStored(files.findAll(walletId, ids));
  return found
    .filter(({ purpose }) => purpose === PURPOSE)
    .toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
}

function findPage({ walletId }: CallerToken, page: CursorPage, { files }: GatewayContext) {
  const asked = { ...page, purposes: [PURPOSE], limit: page.limit + 1, order: 'desc' } as const;
  return readStored(files.list(walletId, asked));
}

async function deleteFile(caller: CallerToken, request: FastifyRequest, gateway: GatewayContext) {
  const { id } = await findFile(caller, request, gateway);
  await readStored(gateway.files.delete(caller.walletId, id));
  return { id, type: 'file_deleted' };
}

/** @throws GatewayError always: what was uploaded is given to nobody, as with Anthropic. */
async function refuseDownload(
  caller: CallerToken,
  request: FastifyRequest,
  gateway: GatewayContext,
): Promise<never> {
  const { id } = await findFile(caller, request, gateway);
  throw new GatewayError('invalid_request', `File ${id} is not downloadable: it was uploaded.`, {
    param: 'file_id',
    details: { error_code: 'file_not_downloadable' },
  });
}

/** @throws GatewayError `not_found` for unknown files and for those of other wallets alike, `service_unavailable`. */
async function findFile(
  caller: CallerToken,
  request: FastifyRequest,
  gateway: GatewayContext,
): Promise<FileFacts> {
  const file = await findWalletFile(caller, fileIdOf(request), gateway, [PURPOSE]);
  if (file) return file;
  const { fileId } = request.params as { fileId: string };
  throw new GatewayError('not_found', `File not found: ${fileId}`, { param: 'file_id' });
}
