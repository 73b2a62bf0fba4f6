import { z } from 'zod';
import { file, integerFrom, oneOf, text, textUpTo } from '../schema/fields.js';
import { expiresAfter, FILE_PURPOSES, storedFile } from './file-schema.js';

const MEBIBYTE = 1024 * 1024;
/** As much as OpenAI takes as the input of a batch. */
export const MAX_UPLOAD_BYTES = 200 * MEBIBYTE;
const MAX_PARTS = 1_000;
const MAX_NAME_LENGTH = 256;

const name = textUpTo(MAX_NAME_LENGTH, `must have at most ${MAX_NAME_LENGTH} characters`).min(
  1,
  'must not be empty',
);

/** @see https://platform.openai.com/docs/api-reference/uploads/create */
export const uploadRequest = z.looseObject({
  filename: name,
  purpose: oneOf(FILE_PURPOSES),
  bytes: integerFrom(1, MAX_UPLOAD_BYTES).describe('What the parts hold together.'),
  mime_type: name,
  expires_after: expiresAfter.nullish(),
});

/** @see https://platform.openai.com/docs/api-reference/uploads/add-part */
export const uploadPartForm = z.strictObject({ data: file('At most 64 MB.') });

/** @see https://platform.openai.com/docs/api-reference/uploads/complete */
export const uploadCompletion = z.looseObject({
  part_ids: z
    .array(z.string('must be a string'), 'must be an array')
    .min(1, 'must not be empty')
    .max(MAX_PARTS, `must name at most ${MAX_PARTS} parts`)
    .refine((ids) => new Set(ids).size === ids.length, 'names a part twice')
    .describe('In the order of the file.'),
  md5: text.regex(/^[0-9a-fA-F]{32}$/, 'must be 32 hexadecimal digits').nullish(),
});

/** @see https://platform.openai.com/docs/api-reference/uploads/object */
export const upload = z.looseObject({
  id: z.string(),
  object: z.literal('upload'),
  bytes: z.int(),
  created_at: z.int(),
  expires_at: z.int(),
  filename: z.string(),
  purpose: z.enum(FILE_PURPOSES),
  status: z.enum(['pending', 'completed', 'cancelled']),
  file: storedFile.nullable(),
});

export const uploadPart = z.looseObject({
  id: z.string(),
  object: z.literal('upload.part'),
  created_at: z.int(),
  upload_id: z.string(),
});
