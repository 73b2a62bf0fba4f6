import { z } from 'zod';
import { file, integerFrom, oneOf } from '../schema/fields.js';

const AN_HOUR = 3_600;
const THIRTY_DAYS = 2_592_000;

/** What files are sent for that calls name. */
export const NAMED_PURPOSES = ['user_data', 'vision'] as const;
/** What a file may be sent for. */
export const FILE_PURPOSES = ['batch', ...NAMED_PURPOSES] as const;
/** In base64 a file that calls name fits into a request: a larger one could be named in none. */
export const MAX_NAMED_BYTES = 15_000_000;

/** What a file may be shown to be for. */
export const SHOWN_PURPOSES = [...FILE_PURPOSES, 'batch_output'] as const;

/** Whether calls may name files of a purpose. */
export function isNamed(purpose: string): boolean {
  return NAMED_PURPOSES.some((named) => named === purpose);
}

/** How long something is kept, from when it was made. */
export const expiresAfter = z.looseObject(
  { anchor: oneOf(['created_at']), seconds: integerFrom(AN_HOUR, THIRTY_DAYS) },
  'must be an object',
);

/**
 * The form of an upload, once numbers have become such.
 *
 * @see https://platform.openai.com/docs/api-reference/files/create
 */
export const fileForm = z.looseObject({
  file: file(
    'JSON Lines of at most 64 MB; of another purpose than batch, anything of at most 15,000,000 bytes.',
  ),
  purpose: oneOf(FILE_PURPOSES),
  expires_after: expiresAfter.optional(),
});

/** @see https://platform.openai.com/docs/api-reference/files/object */
export const storedFile = z.looseObject({
  id: z.string(),
  object: z.literal('file'),
  bytes: z.int(),
  created_at: z.int(),
  expires_at: z.int(),
  filename: z.string(),
  purpose: z.enum(SHOWN_PURPOSES),
  status: z.literal('processed'),
  status_details: z.null(),
});

export const storedFiles = z.looseObject({
  object: z.literal('list'),
  data: z.array(storedFile),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deletedFile = z.looseObject({
  id: z.string(),
  object: z.literal('file'),
  deleted: z.literal(true),
});
