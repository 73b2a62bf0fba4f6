import type { FormLimits } from '../edge/read-form.js';

const MEBIBYTE = 1024 * 1024;

/** One file of at most 64 MB, and the fields around it. */
export const UPLOAD_LIMITS: FormLimits = {
  maxFiles: 1,
  maxBytesPerFile: 64 * MEBIBYTE,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 8,
  maxBytesPerField: 1_024,
  maxBytes: 65 * MEBIBYTE,
};
