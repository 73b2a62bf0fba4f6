import { findUnstorableText, GatewayError, omitUndefined, UNSTORABLE_RULE } from '@mg/contract';
import type { z } from 'zod';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { validate } from '../schema/validate.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { toCamelNames } from './camel-names.js';
import { MAX_NAMED_BYTES } from './file-schema.js';
import { checkNamedBytes, type KeptFile } from './files.js';
import { type googleFile, googleMimeType, newGoogleFile } from './google-file-schema.js';
import { MAX_UPLOAD_BYTES } from './upload-schema.js';

const UNKNOWN_TYPE = 'application/octet-stream';
const PREFIX = 'files/';
/** Purpose of files that hold the results of batches. */
const GENERATED = 'batch_output';
/** Purposes of files whose content is lines of JSON. */
const OF_LINES = new Set(['batch', GENERATED]);
/** How Google's documentation names the type of files of requests, and what it is. */
const LINES = { name: 'jsonl', type: 'application/jsonl' };

/** A file as a caller of Google's API announces it. */
export interface NewGoogleFile {
  /** What it is to be called, where the caller says so. */
  readonly id: string | undefined;
  readonly displayName: string | undefined;
  readonly mimeType: string | undefined;
}

/**
 * Reads the body that begins an upload, in camelCase or snake_case.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readNewGoogleFile(body: Buffer): NewGoogleFile {
  const { file } = parseRequestBody(body, GEMINI_NAMES);
  const { name, displayName, mimeType } =
    validate(newGoogleFile, { file: toCamelNames(file, 'file') }).file ?? {};
  if (findUnstorableText({ displayName }) !== undefined) refuseField('file.displayName', UNSTORABLE_RULE);
  return {
    id: name?.slice(PREFIX.length),
    displayName: displayName ?? undefined,
    mimeType: toMediaType(mimeType ?? undefined),
  };
}

/** Reads a media type of a header; `undefined` for an empty one. @throws GatewayError `invalid_request` naming the header. */
export function readMimeType(value: string, header: string): string | undefined {
  if (value === '') return undefined;
  const read = googleMimeType.safeParse(value);
  return read.success
    ? toMediaType(value)
    : refuseField(header, read.error.issues[0]?.message ?? 'cannot be read');
}

function toMediaType(type: string | undefined): string | undefined {
  return type === LINES.name ? LINES.type : type;
}

/**
 * What a file is kept for. One of requests may be larger than what a call could name: then it is for batches alone.
 *
 * @param param the header that says how large it is.
 * @throws GatewayError `request_too_large`.
 */
export function chooseGooglePurpose(
  bytes: number,
  type: string | undefined,
  param: string,
): 'user_data' | 'batch' {
  const isForBatches = bytes > MAX_NAMED_BYTES && type === LINES.type;
  if (!isForBatches) {
    checkNamedBytes(bytes, param);
    return 'user_data';
  }
  if (bytes <= MAX_UPLOAD_BYTES) return 'batch';
  throw new GatewayError('request_too_large', `A file for batches may hold ${MAX_UPLOAD_BYTES} bytes.`, {
    param,
  });
}

/** What is known of a file that may be named in calls. */
export interface KeptMedia extends KeptFile {
  readonly mimeType: string | undefined;
}

/**
 * A file in the shape of Google's API.
 *
 * @param base address of the gateway as the caller reaches it.
 */
export function writeGoogleFile(file: KeptMedia, base: string): z.output<typeof googleFile> {
  const createTime = file.createdAt.toISOString();
  const uri = `${base}/v1beta/${PREFIX}${file.id}`;
  const isGenerated = file.purpose === GENERATED;
  return omitUndefined({
    name: `${PREFIX}${file.id}`,
    displayName: file.filename === '' ? undefined : file.filename,
    mimeType: file.mimeType ?? (OF_LINES.has(file.purpose) ? LINES.type : UNKNOWN_TYPE),
    sizeBytes: String(file.bytes),
    createTime,
    updateTime: createTime,
    expirationTime: file.expiresAt.toISOString(),
    uri,
    downloadUri: isGenerated ? `${uri}:download?alt=media` : undefined,
    state: 'ACTIVE',
    source: isGenerated ? 'GENERATED' : 'UPLOADED',
  });
}
