import { GatewayError } from '@mg/contract';
import type { z } from 'zod';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import type { FormPart } from '../exchange/exchange.js';
import { validate } from '../schema/validate.js';
import { toUnixSeconds } from '../video/task-answer.js';
import { FILE_PURPOSES, isNamed } from './file-schema.js';
import { checkNamedBytes, type KeptFile, mimeTypeOf, writeFile } from './files.js';
import {
  type upload,
  uploadCompletion,
  type uploadPart,
  uploadPartForm,
  uploadRequest,
} from './upload-schema.js';

/**
 * Reads the body of `POST /v1/uploads`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readUploadRequest(body: Buffer) {
  const fields = validate(uploadRequest, parseRequestBody(body));
  const { filename, purpose, bytes, mime_type: said, expires_after: expiry } = fields;
  if (isNamed(purpose)) checkNamedBytes(bytes, 'bytes');
  return { filename, purpose, mimeType: mimeTypeOf(said, filename), bytes, keepSeconds: expiry?.seconds };
}

/**
 * Reads the form of `POST /v1/uploads/{id}/parts`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readUploadPart(parts: readonly FormPart[]): FormPart['bytes'] {
  const other = parts.find(({ name }) => name !== 'data');
  if (other) throw refuse(other.name, 'is not a field of a part');
  const [data] = parts;
  validate(uploadPartForm, { data: data?.bytes });
  if (data?.filename === undefined) throw refuse('data', 'must be a file');
  if (data.bytes.length === 0) throw refuse('data', 'must not be empty');
  return data.bytes;
}

/**
 * Reads the body of `POST /v1/uploads/{id}/complete`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readUploadCompletion(body: Buffer) {
  const { part_ids: partIds, md5 } = validate(uploadCompletion, parseRequestBody(body));
  return { partIds, md5: md5 ?? undefined };
}

function refuse(param: string, problem: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${problem}.`, { param });
}

/** What is known of a file that comes in parts. */
export interface KeptUpload {
  readonly id: string;
  readonly purpose: string;
  readonly filename: string;
  readonly bytes: number;
  readonly state: 'pending' | 'completing' | 'completed' | 'cancelled';
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An upload in the shape of OpenAI's API, with the file that it has become. */
export function writeUpload(kept: KeptUpload, file: KeptFile | undefined): z.output<typeof upload> {
  return {
    id: kept.id,
    object: 'upload',
    bytes: kept.bytes,
    created_at: toUnixSeconds(kept.createdAt.getTime()),
    expires_at: toUnixSeconds(kept.expiresAt.getTime()),
    filename: kept.filename,
    purpose: FILE_PURPOSES.find((purpose) => purpose === kept.purpose) ?? 'batch',
    status: kept.state === 'completing' ? 'pending' : kept.state,
    file: file ? writeFile(file) : null,
  };
}

/** A part in the shape of OpenAI's API. */
export function writeUploadPart(
  { id, createdAt }: Pick<KeptFile, 'id' | 'createdAt'>,
  uploadId: string,
): z.output<typeof uploadPart> {
  return {
    id,
    object: 'upload.part',
    created_at: toUnixSeconds(createdAt.getTime()),
    upload_id: uploadId,
  };
}
