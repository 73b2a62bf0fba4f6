import { findUnstorableText, omitUndefined, UNSTORABLE_RULE } from '@mg/contract';
import type { z } from 'zod';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { refuseField } from '../canonical/refuse.js';
import { toCamelCase } from '../gemini-generate/normalise-keys.js';
import { isObject } from '../json.js';
import { validate } from '../schema/validate.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import type { KeptFile } from './files.js';
import { type googleFile, mimeType, newGoogleFile } from './google-file-schema.js';

const UNKNOWN_TYPE = 'application/octet-stream';
const PREFIX = 'files/';

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
  const named = isObject(file)
    ? Object.fromEntries(Object.entries(file).map(([key, value]) => [toCamelCase(key), value]))
    : file;
  const { name, displayName, mimeType } = validate(newGoogleFile, { file: named }).file ?? {};
  if (findUnstorableText({ displayName }) !== undefined) refuseField('file.displayName', UNSTORABLE_RULE);
  return {
    id: name?.slice(PREFIX.length),
    displayName: displayName ?? undefined,
    mimeType: mimeType ?? undefined,
  };
}

/** Reads a media type of a header; `undefined` for an empty one. @throws GatewayError `invalid_request` naming the header. */
export function readMimeType(value: string, header: string): string | undefined {
  if (value === '') return undefined;
  const read = mimeType.safeParse(value);
  return read.success ? value : refuseField(header, read.error.issues[0]?.message ?? 'cannot be read');
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
  return omitUndefined({
    name: `${PREFIX}${file.id}`,
    displayName: file.filename === '' ? undefined : file.filename,
    mimeType: file.mimeType ?? UNKNOWN_TYPE,
    sizeBytes: String(file.bytes),
    createTime,
    updateTime: createTime,
    expirationTime: file.expiresAt.toISOString(),
    uri: `${base}/v1beta/${PREFIX}${file.id}`,
    state: 'ACTIVE',
    source: 'UPLOADED',
  });
}
