import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { GatewayError, omitUndefined } from '@mg/contract';
import { checkFormNames, type ExchangeBody, type FormPart } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { type FormRoom, keepPart } from './keep-part.js';
import { nextTurn, ReadingPace } from './loop-turns.js';
import { receiveBody } from './receive-body.js';

/** What a form of an endpoint may hold. */
export interface FormLimits {
  readonly maxFiles: number;
  readonly maxBytesPerFile: number;
  /** Larger files wait on disk. */
  readonly maxBytesInMemory: number;
  readonly maxFields: number;
  readonly maxBytesPerField: number;
  /** Whether a field of this name may be as long as a file: its bytes are kept as they come, since text is decoded in one step. */
  isLongField?(name: string): boolean;
  /** Of the body as a whole; beyond it the answer is a 413. */
  readonly maxBytes: number;
  /**
   * Looks at a file's first bytes as soon as they are there; throws when it is not what it should be.
   *
   * @param param what an error calls the file, such as `image[1]`.
   */
  checkHead?(part: Pick<FormPart, 'name'>, head: Buffer, param: string): void;
}

export type FormBody = Extract<ExchangeBody, { kind: 'form' }>;

const MAX_PART_HEADERS = 16;
const MAX_PART_HEADER_BYTES = 8 * 1024;
const MULTIPART = /^multipart\/form-data\s*(;|$)/i;
/** Bytes that are hashed in one step. */
const HASHED_AT_ONCE = 512 * 1024;
const NAMELESS = 'Every part of the form needs a name.';
const TEXT_TYPES = ['text/plain', 'application/json'];

/** Whether a request's body is a form. */
export function isForm(request: FastifyRequest): boolean {
  return MULTIPART.test(request.headers['content-type'] ?? '');
}

/**
 * Reads a form as it comes in, parts in their order; what is wrong with one is told without waiting for the rest.
 *
 * @throws GatewayError `unsupported_media_type`, `request_too_large`, `invalid_request` naming the part, and what the
 *   lease throws when there is no room.
 */
export async function readForm(
  request: FastifyRequest,
  limits: FormLimits,
  room: FormRoom,
): Promise<FormBody> {
  if (!isForm(request)) {
    throw new GatewayError('unsupported_media_type', 'Send the body as multipart/form-data.', {
      param: 'Content-Type',
    });
  }
  const parser = openParser(request, limits);
  const parts: FormPart[] = [];
  let failure: Error | undefined;
  const parsed = collectParts(parser, parts, limits, room).catch((error: unknown) => {
    failure = error as Error;
    throw error;
  });
  const pace = new ReadingPace();
  const read = (chunk: Buffer) => {
    if (failure) throw failure;
    const drained = parser.write(chunk) ? undefined : once(parser, 'drain');
    const turn = pace.count(chunk.length);
    return drained ? drained.then(() => turn) : turn;
  };
  const received = receiveBody(request, { maxBytes: limits.maxBytes, lease: room.lease }, (chunk) => {
    const turn = pace.waitFor(chunk.length);
    return turn ? turn.then(() => read(chunk)) : read(chunk);
  }).then(() => parser.end());
  try {
    await Promise.all([parsed, received]);
  } finally {
    parser.destroy();
  }
  checkFormNames(parts);
  return { kind: 'form', parts };
}

/**
 * Bytes that are the same for the same form: its parts, but not the boundary between them, which is made up each time. What lies in
 * memory is hashed in steps, however it is divided.
 */
export async function fingerprintForm(parts: readonly FormPart[]): Promise<Buffer> {
  const hash = createHash('sha256');
  let inTurn = 0;
  for (const { name, filename, contentType, bytes } of parts) {
    hash.update(JSON.stringify([name, filename ?? null, contentType ?? null, bytes.length]));
    const pieces = Buffer.isBuffer(bytes) ? cutBytes(bytes) : bytes.read();
    for await (const piece of pieces) {
      hash.update(piece);
      inTurn += piece.length;
      if (inTurn < HASHED_AT_ONCE) continue;
      inTurn = 0;
      await nextTurn();
    }
  }
  return hash.digest();
}

function* cutBytes(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += HASHED_AT_ONCE) yield bytes.subarray(at, at + HASHED_AT_ONCE);
}

function openParser({ headers }: FastifyRequest, limits: FormLimits): BusboyInstance {
  try {
    return new Busboy({
      headers: headers as BusboyHeaders,
      isPartAFile: (name, type, filename) =>
        filename !== undefined ||
        (name !== undefined && limits.isLongField?.(name) === true) ||
        (type !== undefined && !TEXT_TYPES.includes(type)),
      limits: {
        files: limits.maxFiles,
        fileSize: limits.maxBytesPerFile,
        fields: limits.maxFields,
        fieldSize: limits.maxBytesPerField,
        parts: limits.maxFiles + limits.maxFields + 1,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    });
  } catch {
    throw new GatewayError('invalid_request', 'Content-Type must tell the boundary of the form.', {
      param: 'Content-Type',
    });
  }
}

type Refuse = (message: string, param?: string) => void;

function collectParts(
  parser: BusboyInstance,
  parts: FormPart[],
  limits: FormLimits,
  room: FormRoom,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse: Refuse = (message, param = 'body') =>
      reject(new GatewayError('invalid_request', message, { param }));
    refuseExcess(parser, limits, refuse);
    const keeping: Promise<void>[] = [];
    parser.once('finish', () => void Promise.all(keeping).then(() => resolve(), reject));
    parser.on('field', (name: string | undefined, value, _nameCut, cut, _encoding, contentType) => {
      if (name === undefined) return refuse(NAMELESS);
      if (cut) return refuse(`${name} may hold at most ${limits.maxBytesPerField} bytes.`, name);
      parts.push(
        omitUndefined({
          name,
          bytes: Buffer.from(value),
          contentType: contentType === 'text/plain' ? undefined : contentType,
        }),
      );
    });
    parser.on('file', (name: string | undefined, file, filename: string | undefined, _encoding, type) => {
      if (name === undefined) refuse(NAMELESS);
      const contentType = filename === undefined && type === 'text/plain' ? undefined : type;
      const facts = omitUndefined({ name: name ?? '', contentType, filename });
      // Holds the place: a file is whole only after the next part has begun.
      const place = parts.push({ ...facts, bytes: Buffer.alloc(0) }) - 1;
      const param = nameFile(parts, place);
      file.once('limit', () => refuse(`A file may hold at most ${limits.maxBytesPerFile} bytes.`, param));
      file.on('error', () => refuse('The form ends in the middle of a file.'));
      const checkHead = (head: Buffer) => limits.checkHead?.(facts, head, param);
      const kept = keepPart(file, { maxBytesInMemory: limits.maxBytesInMemory, checkHead }, room);
      keeping.push(kept.then((bytes) => void (parts[place] = { ...facts, bytes }), reject));
    });
  });
}

function refuseExcess(parser: BusboyInstance, limits: FormLimits, refuse: Refuse): void {
  parser.on('error', () => refuse('The form is broken or ends before its last boundary.'));
  parser.once('filesLimit', () => refuse(`The form may hold at most ${limits.maxFiles} files.`));
  parser.once('fieldsLimit', () => refuse(`The form may hold at most ${limits.maxFields} fields.`));
  parser.once('partsLimit', () => refuse('The form has too many parts.'));
}

/** `image`, or `image[1]` for the second one, however the client writes a list. */
function nameFile(parts: readonly FormPart[], place: number): string {
  const bareNames = parts.map(({ name }) => name.replace(/\[\d*\]$/, ''));
  const bare = bareNames[place] ?? '';
  const index = bareNames.slice(0, place).filter((name) => name === bare).length;
  return index === 0 ? bare : `${bare}[${index}]`;
}
