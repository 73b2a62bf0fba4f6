import { GatewayError } from '@mg/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { messagesRequest } from '../anthropic-messages/request-schema.js';
import { speechRequest } from '../audio/request-schema.js';
import {
  batchEmbedContentsRequest,
  embedContentRequest,
  embeddingRequest,
} from '../embeddings/request-schema.js';
import { generateContentRequest } from '../gemini-generate/request-schema.js';
import { imageEditRequest, imageRequest } from '../images/request-schema.js';
import type { JsonObject } from '../json.js';
import { moderationRequest } from '../moderation/request-schema.js';
import { chatRequest } from '../openai-chat/request-schema.js';
import { completionRequest } from '../openai-completions/request-schema.js';
import { responsesRequest } from '../openai-responses/request-schema.js';
import { rerankRequest } from '../rerank/request-schema.js';
import { ENVELOPES } from '../testing/envelopes.js';
import { paceOf } from '../testing/fuzz-pace.js';
import { nativeVideoRequest, openAiVideoRequest, videoRequest } from '../video/request-schema.js';
import { type JsonSchema, toJsonSchema } from './json-schema.js';

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  'openai-chat': chatRequest,
  'openai-completions': completionRequest,
  'openai-responses': responsesRequest,
  'anthropic-messages': messagesRequest,
  'gemini-generate': generateContentRequest,
  embeddings: embeddingRequest,
  embedContent: embedContentRequest,
  batchEmbedContents: batchEmbedContentsRequest,
  moderations: moderationRequest,
  rerank: rerankRequest,
  speech: speechRequest,
  images: imageRequest,
  'image edits': imageEditRequest,
  'generic videos': videoRequest,
  "OpenAI's videos": openAiVideoRequest,
  'native videos': nativeVideoRequest,
};

const SCALARS = [null, true, 0, -1, 1, 7, 0.5, 1e9, '', 'text', 'auto', '6'];
const LISTS = [
  [],
  [null],
  [1],
  [-1],
  [[1]],
  ['a'],
  [''],
  [{}],
  [{ text: 'a' }],
  [{ type: 'text', text: 'a' }],
];
const TURNS = [
  [{ role: 'user', content: 'a' }],
  [{ role: 'user', content: [{}] }],
  [{ role: 'nobody', content: 'a' }],
  [{ parts: [1] }],
  [{ content: { parts: [{ text: 'a' }] } }],
];
const VALUES: readonly unknown[] = [...SCALARS, ...LISTS, ...TURNS, {}, { parts: [{}] }, { text: 'a' }];

/** Bodies with one or two members set to something, at the top or in a list. */
function bodiesOf(valid: object, description: JsonSchema): fc.Arbitrary<JsonObject> {
  const names = Object.keys({ ...valid, ...(description.properties as object) });
  const member = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...VALUES));
  return fc
    .array(member, { minLength: 1, maxLength: 2 })
    .map((members) => ({ ...valid, ...Object.fromEntries(members) }));
}

describe('what a request is described by', () => {
  // Requests for images in Google's protocol are read as chats first.
  for (const { name, valid, send } of ENVELOPES.filter((envelope) => envelope.name !== 'Google images')) {
    const schema = SCHEMAS[name];
    if (!schema) throw new Error(`no schema is named for ${name}`);
    const description = toJsonSchema(schema);
    const described = z.fromJSONSchema(description);

    it(`${name}: allows whatever is taken`, () => {
      let taken = 0;
      fc.assert(
        fc.property(bodiesOf(valid, description), (body) => {
          if (!isTaken(() => send(Buffer.from(JSON.stringify(body))))) return;
          taken++;
          expect(described.safeParse(body).error?.issues ?? []).toEqual([]);
        }),
        paceOf(500),
      );
      expect(taken).toBeGreaterThan(5);
    });

    it(`${name}: forbids what is refused for its type`, () => {
      for (const field of Object.keys(valid)) {
        const body = { ...valid, [field]: 7.5 };
        expect({ field, isTaken: isTaken(() => send(Buffer.from(JSON.stringify(body)))) }).toEqual({
          field,
          isTaken: false,
        });
        expect({ field, isAllowed: described.safeParse(body).success }).toEqual({ field, isAllowed: false });
      }
    });
  }
});

function isTaken(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') return false;
    throw error;
  }
}
