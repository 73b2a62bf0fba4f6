import { z } from 'zod';
import { file, integerFrom } from '../schema/fields.js';

const AN_HOUR = 3_600;
const NINETY_DAYS = 7_776_000;

/**
 * The form of an upload, once numbers have become such.
 *
 * @see https://platform.claude.com/docs/en/api/beta/files/upload
 */
export const anthropicFileForm = z.looseObject({
  file: file('Anything of at most 15,000,000 bytes.'),
  expires_in_seconds: integerFrom(AN_HOUR, NINETY_DAYS).optional(),
});

/** @see https://platform.claude.com/docs/en/api/beta/files/retrieve_metadata */
export const anthropicFile = z.looseObject({
  id: z.string(),
  type: z.literal('file'),
  filename: z.string(),
  mime_type: z.string(),
  size_bytes: z.int(),
  created_at: z.string(),
  expires_at: z.string(),
  downloadable: z.literal(false),
});

/** A page: earlier SDKs go on by `last_id`, later ones by `next_page`. */
export const anthropicFiles = z.looseObject({
  data: z.array(anthropicFile),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
  next_page: z.string().nullable(),
});

export const deletedAnthropicFile = z.looseObject({
  id: z.string(),
  type: z.literal('file_deleted'),
});
