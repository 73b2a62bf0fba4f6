import {
  checkPngHead,
  isPicture,
  readImageEdit,
  readImageEditForm,
  readImageGeneration,
} from '@mg/protocols';
import type { FastifyInstance } from 'fastify';
import type { Kit } from '../kit.js';
import { billedExchange, billedForm } from './exchange-endpoints.js';
import { type FormLimits, isForm } from './read-form.js';
import { serve } from './serve-route.js';

const MEBIBYTE = 1024 * 1024;
const GENERATIONS = '/v1/images/generations';
const EDITS = '/v1/images/edits';

/** Sixteen pictures and a mask, each smaller than 4 MB. */
const EDIT_LIMITS: FormLimits = {
  maxFiles: 17,
  maxBytesPerFile: 4 * MEBIBYTE - 1,
  maxBytesInMemory: MEBIBYTE,
  maxFields: 32,
  maxBytesPerField: 256 * 1024,
  maxBytes: 70 * MEBIBYTE,
  checkHead: (part, head, param) => {
    if (isPicture(part)) checkPngHead(head, param);
  },
};

/** Pictures: made of a prompt, or of pictures and a prompt, by form or as JSON. */
export function registerImages(scope: FastifyInstance, kit: Kit): void {
  const edit = billedExchange(EDITS, (_request, body) => readImageEdit(body), kit);
  const editForm = billedForm(EDITS, EDIT_LIMITS, ({ parts }) => readImageEditForm(parts), kit);
  serve(scope, GENERATIONS, 'openai-chat', {
    POST: billedExchange(GENERATIONS, (_request, body) => readImageGeneration(body), kit),
  });
  serve(scope, EDITS, 'openai-chat', {
    POST: (request, reply) => (isForm(request) ? editForm : edit)(request, reply),
  });
}
