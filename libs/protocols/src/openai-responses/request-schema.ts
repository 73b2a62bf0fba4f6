import { z } from 'zod';
import {
  checkedApartIfGiven,
  flag,
  integerFrom,
  list,
  modelName,
  numberFrom,
  object,
} from '../schema/fields.js';

export const MAX_ITEMS = 2_048;
const MAX_TOKENS = 10_000_000;
export const RESPONSE_ID = /^[A-Za-z0-9_-]{1,256}$/;
const conversationId = z.string().meta({ pattern: RESPONSE_ID.source });

const NO_STATE = 'refers to stored state, and this gateway stores none: send the whole input';

/** What refers to an earlier call; this gateway keeps nothing of calls. */
const reference = z.null(NO_STATE).optional();

/** A request that only works with what the provider remembers is none for this gateway. */
export const statelessRequest = z.looseObject({
  previous_response_id: reference,
  conversation: reference,
  prompt: reference,
  background: z.literal(false, 'cannot be true: this gateway answers at once or not at all').nullish(),
});

const previousResponse = z.string().nullish().meta({
  pattern: RESPONSE_ID.source,
  description: 'A response of the same wallet that the gateway still remembers.',
});

const input = checkedApartIfGiven(z.union([z.string(), z.array(z.looseObject({})).max(MAX_ITEMS)]));
const instructions = z.unknown().optional().meta({ description: 'A text.' });

/** @see https://platform.openai.com/docs/api-reference/responses/compact */
export const compactRequest = z.looseObject({
  model: modelName,
  // Conversations that have become too long for an answer are to be compacted.
  input: checkedApartIfGiven(z.union([z.string(), z.array(z.looseObject({}))])),
  instructions,
  previous_response_id: previousResponse,
  prompt: reference,
  stream: z.literal(false, 'cannot be true: a compaction is answered whole').nullish(),
  reasoning: object.nullish(),
});

/** @see https://platform.openai.com/docs/api-reference/responses/create */
export const responsesRequest = z.looseObject({
  model: modelName,
  ...statelessRequest.shape,
  previous_response_id: previousResponse,
  conversation: z
    .union([conversationId, z.looseObject({ id: conversationId })], 'must be the id of a conversation')
    .nullish()
    .meta({ description: 'A conversation of the same wallet, to which input and answer are added.' }),
  store: flag.nullish().meta({ description: 'Whether the response is remembered; true by default.' }),
  temperature: numberFrom(0, 2).nullish(),
  top_p: numberFrom(0, 1).nullish(),
  tools: list.nullish(),
  reasoning: object.nullish(),
  text: object.nullish(),
  input,
  instructions,
  stream: flag.nullish(),
  max_output_tokens: integerFrom(1, MAX_TOKENS).nullish(),
});
