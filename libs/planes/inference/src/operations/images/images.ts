import {
  checkPngHead,
  imageFiles,
  isImage,
  readImageEdit,
  readImageEditForm,
  readImageGeneration,
  readImageVariation,
} from '@mg/protocols';
import type { FormLimits } from '../../edge/read-form.js';
import { formExchange, jsonExchange } from '../exchange/exchange-endpoint.js';

const MEBIBYTE = 1024 * 1024;

/** Sixteen images and a mask, each smaller than 4 MB. */
const EDIT_LIMITS: FormLimits = {
  maxFiles: 17,
  maxBytesPerFile: 4 * MEBIBYTE - 1,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 32,
  maxBytesPerField: 256 * 1024,
  maxBytes: 70 * MEBIBYTE,
  checkHead: (part, head, param) => {
    if (isImage(part)) checkPngHead(head, param);
  },
};

/** One image, and few words about it. */
const VARIATION_LIMITS: FormLimits = { ...EDIT_LIMITS, maxFiles: 1, maxFields: 8 };

/** Images out of a prompt. */
export const IMAGE_GENERATIONS = jsonExchange('/v1/images/generations', readImageGeneration);

/** Images out of images and a prompt, by form or as JSON. */
export const IMAGE_EDITS = formExchange('/v1/images/edits', EDIT_LIMITS, readImageEditForm, {
  read: readImageEdit,
  files: imageFiles,
});

/** Images like another one, by channels that have such a call. */
export const IMAGE_VARIATIONS = formExchange('/v1/images/variations', VARIATION_LIMITS, readImageVariation);
