import { GatewayError } from '@mg/contract';
import type { z } from 'zod';
import { guessMediaType } from '../canonical/media-type.js';
import type { FormPart } from '../exchange/exchange.js';
import type { StoredFile } from '../exchange/stored-bytes.js';
import { validate } from '../schema/validate.js';
import { toUnixSeconds } from '../video/task-answer.js';
import { fileForm, isNamed, MAX_NAMED_BYTES, SHOWN_PURPOSES, type storedFile } from './file-schema.js';
import { mimeType } from './google-file-schema.js';

/** Longest name of a file, in characters. */
const MAX_FILENAME_LENGTH = 256;
const UNKNOWN_TYPE = 'application/octet-stream';
const MEMBER = /^expires_after\[(anchor|seconds)\]$/;

/** A file as a caller sends it. */
export interface FileUpload {
  readonly filename: string;
  readonly purpose: string;
  readonly expiresInSeconds: number | undefined;
  /** What it holds, as its sender or its name says. */
  readonly mimeType: string | undefined;
  readonly bytes: Buffer | StoredFile;
}

/**
 * Reads the form of `POST /v1/files`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readFileUpload(parts: readonly FormPart[]): FileUpload {
  const fields: Record<string, unknown> = {};
  const expiry: Record<string, unknown> = {};
  for (const { name, bytes } of parts) {
    const [, member] = MEMBER.exec(name) ?? [];
    const value = Buffer.isBuffer(bytes) && name !== 'file' ? bytes.toString('utf8') : bytes;
    if (member === undefined) fields[name] = value;
    else expiry[member] = member === 'seconds' ? toNumber(value) : value;
  }
  if (Object.keys(expiry).length > 0) fields.expires_after = expiry;
  const { purpose, expires_after: expires } = validate(fileForm, fields);
  const file = readFormFile(parts);
  if (isNamed(purpose)) checkNamedBytes(file.bytes.length, 'file');
  return { ...file, purpose, expiresInSeconds: expires?.seconds };
}

/** The file of a form. @throws GatewayError `invalid_request` where there is none, or nothing in it. */
export function readFormFile(
  parts: readonly FormPart[],
): Pick<FileUpload, 'filename' | 'mimeType' | 'bytes'> {
  const file = parts.find(({ name }) => name === 'file');
  if (file?.filename === undefined) throw refuse('file must be a file with a name.');
  if (file.bytes.length === 0) throw refuse('file must not be empty.');
  const { filename, contentType, bytes } = file;
  return {
    filename: filename.slice(0, MAX_FILENAME_LENGTH),
    mimeType: mimeTypeOf(contentType, filename),
    bytes,
  };
}

/** @throws GatewayError `request_too_large` for a file that no call could name. */
export function checkNamedBytes(bytes: number, param: string): void {
  if (bytes <= MAX_NAMED_BYTES) return;
  throw new GatewayError(
    'request_too_large',
    `A file that calls name may hold ${MAX_NAMED_BYTES} bytes, which fit into a request.`,
    { param },
  );
}

/** Clients that know nothing of a file call it `application/octet-stream`. */
export function mimeTypeOf(said: string | undefined, filename: string): string | undefined {
  const read = mimeType.safeParse(said);
  return read.success && said !== UNKNOWN_TYPE ? said : guessMediaType(filename);
}

/** A number that stands in a form; what is none stays as it is. */
export function toNumber(value: unknown): unknown {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

function refuse(message: string): GatewayError {
  return new GatewayError('invalid_request', message, { param: 'file' });
}

/** What is known of a file that is kept. */
export interface KeptFile {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  readonly bytes: number;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A file in the shape of OpenAI's API. */
export function writeFile(file: KeptFile): z.output<typeof storedFile> {
  return {
    id: file.id,
    object: 'file',
    bytes: file.bytes,
    created_at: toUnixSeconds(file.createdAt.getTime()),
    expires_at: toUnixSeconds(file.expiresAt.getTime()),
    filename: file.filename,
    purpose: SHOWN_PURPOSES.find((purpose) => purpose === file.purpose) ?? 'batch_output',
    status: 'processed',
    status_details: null,
  };
}
