import { randomUUID } from 'node:crypto';
import { StringDecoder } from 'node:string_decoder';
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
/** Places where it names them: all are read, and replaced, in one step. */
const MAX_REFERENCES = 1_000;
/** As large as a request with the same content in it may be. */
const MAX_BYTES = 20 * 1024 * 1024;
const UNKNOWN_TYPE = 'application/octet-stream';
/** So many bytes are so many characters. */
const BASE64_GROUP = 3;
const BASE64_CHARACTERS = 4;
/** All indexes have three digits. */
const FIRST_INDEX = 100;

type FilesGateway = Pick<GatewayContext, 'files' | 'funds' | 'shares' | 'publicUrl'>;

/** A request that may name files. */
export interface AskedRequest {
  readonly body: Buffer;
  /** Its JSON. */
  readonly parsed: JsonObject;
  /** How its protocol names files; left out where it does not. */
  readonly files?: FileReferences | undefined;
}

/** How the content of a file stands in a request. */
type Encoding = 'base64' | 'utf8';

/** The last character of a mark says how the content is to stand there. */
const ENCODINGS: ReadonlyMap<string, Encoding> = new Map([
  ['b', 'base64'],
  ['t', 'utf8'],
]);
/** Marks that are replaced in one turn of the event loop. */
const MARKS_IN_A_TURN = 500;

/** A file of a request, with what stands in a text where its content is to stand. */
interface FoundFile {
  readonly facts: FileFacts;
  readonly mark: string;
}

/** Files of a request by their ids. */
interface FoundFiles {
  /** What every mark begins with. */
  readonly nonce: string;
  readonly byId: ReadonlyMap<string, FoundFile>;
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
  const references = findReferences(parsed, files, base);
  if (references.length === 0) return undefined;
  call.onStoredFiles?.();
  const inline = async () => {
    const found = await findFiles(references, files, call.caller, gateway);
    const { byId } = found;
    let held = 0;
    const hold = (ofFiles: number) => {
      const bytes = asked.body.length + ofFiles;
      if (bytes > maxBytes) throw refuseLarge(references, maxBytes);
      // For a moment the pieces of files are there beside the whole.
      if (bytes > held) call.lease.take(2 * (bytes - held));
      held = Math.max(held, bytes);
    };
    hold(references.reduce((sum, { id }) => sum + base64Bytes(byId.get(id)?.facts), 0));
    const marked = files.replace(keepIntegers(asked.body, parsed), base, ({ id }) => {
      const file = byId.get(id);
      if (!file) return undefined;
      const { filename, mimeType = UNKNOWN_TYPE } = file.facts;
      return { mimeType, filename, base64: `${file.mark}b`, text: `${file.mark}t` };
    });
    const text = await stringifyInSlices(marked, nextTurn);
    const read = (facts: FileFacts, encoding: Encoding) =>
      readEncoded(gateway.files.read(call.caller.walletId, facts), encoding);
    const body = await readStored(fillIn(text, found, { read, hold }));
    call.lease.giveBack(held);
    await parseWritten(body, namesOf(request));
    return body;
  };
  return gateway.funds.need(call.caller).then(() => gateway.shares.recalls.takeTurn(call.caller.id, inline));
}

/** @throws GatewayError for the first that is too many. */
function findReferences(parsed: JsonObject, files: FileReferences, base: string): readonly FileReference[] {
  const references: FileReference[] = [];
  files.replace(parsed, base, (file) => {
    if (references.push(file) <= MAX_REFERENCES) return undefined;
    const { param } = file;
    const problem = `${param} is one of more than ${MAX_REFERENCES} places that name files.`;
    throw new GatewayError('invalid_request', problem, { param });
  });
  return references;
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

/**
 * The text with the content of files in the place of their marks, which nobody could have known before.
 *
 * @param hold is told how many bytes of files there are so far: a text may be longer in JSON than it is in base64.
 * @throws Error of the store, also for a file that is deleted meanwhile.
 */
async function fillIn(
  text: Buffer,
  { nonce, byId }: FoundFiles,
  {
    read,
    hold,
  }: {
    readonly read: (facts: FileFacts, encoding: Encoding) => AsyncIterable<Buffer>;
    readonly hold: (bytes: number) => void;
  },
): Promise<Buffer> {
  const byMark = new Map([...byId.values()].map(({ facts, mark }) => [mark, facts]));
  const contents = new Map<string, readonly Buffer[]>();
  const pieces: Buffer[] = [];
  const length = nonce.length + String(FIRST_INDEX).length;
  let bytes = 0;
  let marks = 0;
  let from = 0;
  for (let at = text.indexOf(nonce); at >= 0; at = text.indexOf(nonce, from)) {
    const mark = text.toString('latin1', at, at + length + 1);
    const facts = byMark.get(mark.slice(0, length));
    const encoding = ENCODINGS.get(mark.slice(length));
    if (!facts || !encoding) throw new Error('A mark names no file.');
    const content: Buffer[] = [];
    for await (const piece of contents.get(mark) ?? read(facts, encoding)) {
      bytes += piece.length;
      hold(bytes);
      content.push(piece);
    }
    contents.set(mark, content);
    pieces.push(text.subarray(from, at), ...content);
    from = at + length + 1;
    if (++marks % MARKS_IN_A_TURN === 0) await nextTurn();
  }
  pieces.push(text.subarray(from));
  return joinInSlices(pieces, nextTurn);
}

/** Content as it stands within a string of JSON, piece by piece; what is no UTF-8 becomes U+FFFD in a text. */
async function* readEncoded(content: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  // Pieces may end within a character, or within a group of base64.
  const decoder = new StringDecoder(encoding);
  for await (const piece of content) yield Buffer.from(escapeText(decoder.write(piece)));
  yield Buffer.from(escapeText(decoder.end()));
}

function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
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
