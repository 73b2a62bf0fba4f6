import { omitUndefined } from '@mg/contract';
import { isObject, type Json, listObjects, readText } from '../json.js';
import { type Refusal, refuse } from '../request.js';
import { createLookAlike } from './look-alike.js';
import { writeCall } from './write-call.js';

/** Ollama: role and content in every delta, whole calls, images as bytes only, and no reasoning counted apart. */
export const ollama = createLookAlike({
  name: 'ollama',
  versionPath: '/v1',
  capFields: ['max_tokens'],
  thinks: (body) => body['reasoning_effort'] !== 'none',
  refuse: refuseImageUrls,

  describeChunk: ({ identity: { created, model }, choices, usage }) =>
    omitUndefined({
      id: 'chatcmpl-838',
      object: 'chat.completion.chunk',
      created,
      model,
      system_fingerprint: 'fp_ollama',
      choices,
      usage,
    }),
  describeChoice: (delta, finish_reason) => ({ index: 0, delta, finish_reason }),
  reasoningDelta: (reasoning) => ({ role: 'assistant', content: '', reasoning }),
  textDelta: (content) => ({ role: 'assistant', content }),
  callsTravel: 'whole',
  describeCall: ({ index, id, ...call }) => {
    const { type, function: called } = writeCall({ index, id, ...call });
    return { id, index, type, function: called };
  },
  besideCalls: { role: 'assistant', content: '' },
  closing: { role: 'assistant', content: '' },

  usageStands: 'behind-the-end',
  describeUsage: ({ promptTokens, completionTokens }) => ({
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }),
  describeMessage: (reasoning, content) =>
    omitUndefined({ content: content ?? '', reasoning: reasoning === '' ? undefined : reasoning }),
  describeError: (_status, { message }) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  }),
});

function refuseImageUrls(body: Json): Refusal | undefined {
  const parts = listObjects(body['messages']).flatMap((turn) => listObjects(turn['content']));
  const urls = parts.map((part) =>
    isObject(part['image_url']) ? readText(part['image_url']['url']) : 'data:',
  );
  return urls.every((url) => url.startsWith('data:')) ? undefined : refuse('invalid image input');
}
