import { randomUUID } from 'node:crypto';
import { type CallerToken, GatewayError } from '@mg/contract';
import type { FileFacts } from '@mg/persistence/gateway';
import {
  type FileReference,
  type FileReferences,
  isNamed,
  joinInSlices,
  type JsonObject,
  keepIntegers,
  stringifyInSlices,
} from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import type { GatewayContext } from './gateway-context.js';
import type { OpeningCall } from './operation.js';
import { readStored } from './read-stored-files.js';
import { nextTurn } from '../edge/loop-turns.js';
import { baseOf } from '../edge/public-base.js';
import { namesOf, parseWritten } from '../edge/read-json-body.js';

/** Different files of one request. */
const MAX_FILES = 100;
/** As large as a request with the same content in it may be. */
const MAX_BYTES = 20 * 1024 * 1024;
const UNKNOWN_TYPE = 'application/octet-stream';
/** So many bytes are so many characters. */
const BASE64_GROUP = 3;
const BASE64_CHARACTERS = 4;
/** All indexes have three digits. */
const FIRST_INDEX = 100;
const NO_BYTES = Buffer.alloc(0);

type FilesGateway = Pick<GatewayContext, 'files' | 'funds' | 'shares' | 'publicUrl'>;

/** A request that may name files. */
export interface AskedRequest {
  readonly body: Buffer;
  /** Its JSON. */
  readonly parsed: JsonObject;
  /** How its protocol names files; left out where it does not. */
  readonly files?: FileReferences | undefined;
}

/** Files of a request by their ids, each with what stands in a text where its content is to stand. */
interface FoundFiles {
  /** What every mark begins with. */
  readonly nonce: string;
  readonly byId: ReadonlyMap<string, { readonly facts: FileFacts; readonly mark: string }>;
}

/**
 * A request with the content of the caller's files in their place, as if they had been sent with it: everything after this, the
 * bound of its cost too, sees no difference.
 *
 * @param maxBytes of the whole.
 * @returns `undefined` for a request that names no file of ours.
 * @throws GatewayError what the protocol says of a file that the wallet does not have; `request_too_large`,
 *   `insufficient_balance` for an empty wallet, `rate_limited`, `service_unavailable`.
 */
export function inlineStoredFiles(
  asked: AskedRequest,
  request: FastifyRequest,
  call: OpeningCall,
  gateway: FilesGateway,
  maxBytes = MAX_BYTES,
): Promise<Buffer> | undefined {
  const { parsed, files } = asked;
  if (!files || call.isOver) return undefined;
  const base = baseOf(request, gateway);
  const references: FileReference[] = [];
  files.replace(parsed, base, (file) => void references.push(file));
  if (references.length === 0) return undefined;
  const inline = async () => {
    const found = await findFiles(references, files, call.caller, gateway);
    const { byId } = found;
    const bytes = references.reduce(
      (sum, { id }) => sum + base64Bytes(byId.get(id)?.facts),
      asked.body.length,
    );
    if (bytes > maxBytes) throw refuseLarge(references, maxBytes);
    // For a moment the pieces of files are there beside the whole.
    call.lease.take(2 * bytes);
    const marked = files.replace(keepIntegers(asked.body, parsed), base, ({ id }) => {
      const file = byId.get(id);
      if (!file) return undefined;
      const { filename, mimeType = UNKNOWN_TYPE } = file.facts;
      return { mimeType, filename, base64: file.mark };
    });
    const text = await stringifyInSlices(marked, nextTurn);
    const body = await fillIn(text, found, call.caller, gateway);
    call.lease.giveBack(bytes);
    await parseWritten(body, namesOf(request));
    return body;
  };
  return gateway.funds.need(call.caller).then(() => gateway.shares.recalls.takeTurn(call.caller.id, inline));
}

/** @throws GatewayError for the first one that is not there. */
async function findFiles(
  references: readonly FileReference[],
  { refuse }: FileReferences,
  { walletId }: CallerToken,
  { files }: FilesGateway,
): Promise<FoundFiles> {
  const ids = [...new Set(references.map(({ id }) => id))];
  if (ids.length > MAX_FILES) {
    const param = references.find(({ id }) => id === ids[MAX_FILES])?.param ?? '';
    throw new GatewayError('invalid_request', `${param} is one of more than ${MAX_FILES} files.`, { param });
  }
  const known = await readStored(files.findAll(walletId, ids));
  const nonce = randomUUID();
  const usable = known.filter(({ purpose }) => isNamed(purpose));
  const byId = new Map(
    usable.map((facts, index) => [facts.id, { facts, mark: `${nonce}${index + FIRST_INDEX}` }]),
  );
  const missing = references.find(({ id }) => !byId.has(id));
  if (missing) throw refuse(missing);
  return { nonce, byId };
}

/** The text with the content of files in the place of their marks, which nobody could have known before. */
async function fillIn(
  text: Buffer,
  { nonce, byId }: FoundFiles,
  caller: CallerToken,
  { files }: FilesGateway,
): Promise<Buffer> {
  const contents = new Map<string, readonly Buffer[]>();
  for (const { facts, mark } of byId.values()) contents.set(mark, await readBase64(facts, caller, files));
  const pieces: Buffer[] = [];
  const length = nonce.length + String(FIRST_INDEX).length;
  let from = 0;
  for (let at = text.indexOf(nonce); at >= 0; at = text.indexOf(nonce, from)) {
    const content = contents.get(text.toString('latin1', at, at + length)) ?? [];
    pieces.push(text.subarray(from, at), ...content);
    from = at + length;
  }
  pieces.push(text.subarray(from));
  return joinInSlices(pieces, nextTurn);
}

/** Content in base64, piece by piece. @throws GatewayError `service_unavailable`, also for one that is deleted meanwhile. */
async function readBase64(
  facts: FileFacts,
  { walletId }: CallerToken,
  files: Pick<GatewayContext['files'], 'read'>,
): Promise<readonly Buffer[]> {
  const pieces: Buffer[] = [];
  const read = async () => {
    let rest: Buffer = NO_BYTES;
    for await (const piece of files.read(walletId, facts)) {
      const bytes = Buffer.concat([rest, piece]);
      const whole = bytes.length - (bytes.length % BASE64_GROUP);
      pieces.push(Buffer.from(bytes.toString('base64', 0, whole), 'latin1'));
      rest = bytes.subarray(whole);
    }
    pieces.push(Buffer.from(rest.toString('base64'), 'latin1'));
  };
  await readStored(read());
  return pieces;
}

function base64Bytes(facts: FileFacts | undefined): number {
  return Math.ceil((facts?.bytes ?? 0) / BASE64_GROUP) * BASE64_CHARACTERS;
}

function refuseLarge(references: readonly FileReference[], maxBytes: number): GatewayError {
  const param = references[0]?.param ?? 'body';
  return new GatewayError(
    'request_too_large',
    `The request and its files hold more than ${maxBytes} bytes together, files counted in base64.`,
    { param },
  );
}
