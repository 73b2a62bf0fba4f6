import type { z } from 'zod';
import type { FormPart } from '../exchange/exchange.js';
import { validate } from '../schema/validate.js';
import { type anthropicFile, anthropicFileForm } from './anthropic-file-schema.js';
import { checkNamedBytes, type FileUpload, readFormFile, toNumber } from './files.js';
import type { KeptMedia } from './google-files.js';

const UNKNOWN_TYPE = 'application/octet-stream';

/**
 * Reads the form of `POST /v1/files` as clients of Anthropic's API send it.
 *
 * @throws GatewayError `invalid_request` naming the field, `request_too_large`.
 */
export function readAnthropicFile(parts: readonly FormPart[]): Omit<FileUpload, 'purpose'> {
  const [file, seconds] = ['file', 'expires_in_seconds'].map(
    (wanted) => parts.find(({ name }) => name === wanted)?.bytes,
  );
  const { expires_in_seconds: expiresInSeconds } = validate(anthropicFileForm, {
    file,
    expires_in_seconds: Buffer.isBuffer(seconds) ? toNumber(seconds.toString()) : seconds,
  });
  const read = readFormFile(parts);
  checkNamedBytes(read.bytes.length, 'file');
  return { ...read, expiresInSeconds };
}

/** A file in the shape of Anthropic's API, which gives nobody the content of what was uploaded. */
export function writeAnthropicFile(file: KeptMedia): z.output<typeof anthropicFile> {
  return {
    id: file.id,
    type: 'file',
    filename: file.filename,
    mime_type: file.mimeType ?? UNKNOWN_TYPE,
    size_bytes: file.bytes,
    created_at: file.createdAt.toISOString(),
    expires_at: file.expiresAt.toISOString(),
    downloadable: false,
  };
}
