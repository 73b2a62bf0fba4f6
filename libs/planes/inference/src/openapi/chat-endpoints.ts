import { type Endpoint, json, jsonOrEvents, MODEL_IN_PATH, type Parameter, text } from './endpoint.js';
import { ITEM_PAGE } from './conversation-endpoints.js';
import type { SchemaName } from './schemas.js';

const EVENTS: Parameter = {
  name: 'alt',
  in: 'query',
  schema: { ...text, enum: ['sse'] },
  description: 'Events instead of an array.',
};

const RESPONSE_IN_PATH: Parameter = { name: 'response_id', in: 'path', required: true, schema: text };

const ESTIMATED = {
  'x-gateway-estimated': {
    schema: { ...text, enum: ['true'] },
    description: 'Present where a tokenizer counted: no channel of this protocol could be asked.',
  },
};

/** Chats in every protocol, and counts of their tokens. */
export const CHAT_ENDPOINTS: readonly Endpoint[] = [
  {
    ...chat('/v1/chat/completions', 'Chat completion', 'ChatCompletionRequest'),
    description: 'Fields beyond those shown pass through to a channel of the same protocol unread.',
    answers: { 200: jsonOrEvents('ChatCompletion', 'ChatCompletionEvent') },
  },
  {
    ...chat('/v1/messages', "Anthropic's messages", 'MessagesRequest'),
    answers: { 200: jsonOrEvents('MessagesResponse', 'MessagesEvent') },
  },
  count('/v1/messages/count_tokens', 'CountTokensRequest', 'CountTokensResponse'),
  {
    ...chat('/v1/responses', "OpenAI's Responses", 'ResponsesRequest'),
    description:
      'Responses are remembered for their wallet, whatever channel answered, unless `store` is false.',
    answers: { 200: jsonOrEvents('ResponsesResponse', 'ResponsesEvent') },
  },
  {
    ...chat('/v1/responses/compact', 'Compaction of a conversation', 'CompactRequest'),
    description:
      'The compaction item of the answer stands for the conversation in later requests of the same wallet. Where the provider ' +
      'compacts itself it can be read there alone, else over every channel.',
    answers: { 200: json('What the user said, and the compaction.', 'CompactedResponse') },
  },
  count('/v1/responses/input_tokens', 'ResponsesRequest', 'ResponseInputTokens'),
  {
    ...remembered('get', '/v1/responses/{response_id}', 'A response that is remembered; free'),
    answers: { 200: json('The response.', 'ResponsesResponse') },
  },
  {
    ...remembered(
      'delete',
      '/v1/responses/{response_id}',
      'Forgets a response, at the upstream that keeps it too; free',
    ),
    answers: { 200: json('It is forgotten.', 'DeletedResponse') },
  },
  {
    ...remembered('get', '/v1/responses/{response_id}/input_items', 'What a response was an answer to; free'),
    parameters: [RESPONSE_IN_PATH, ...ITEM_PAGE],
    answers: { 200: json('The items.', 'ResponseInputItems') },
  },
  {
    ...chat('/v1/completions', "OpenAI's legacy text completions", 'CompletionRequest'),
    answers: { 200: jsonOrEvents('TextCompletion', 'TextCompletionEvent') },
  },
  ...(['/v1beta', '/v1'] as const).flatMap(describeGoogle),
];

function remembered(method: 'get' | 'delete', path: string, summary: string): Omit<Endpoint, 'answers'> {
  return {
    method,
    path,
    summary,
    cost: 'free',
    parameters: [RESPONSE_IN_PATH],
    failures: ['not_found'],
  };
}

/** Google's protocol, the same under both of its versions. */
function describeGoogle(version: '/v1' | '/v1beta'): Endpoint[] {
  const model = `${version}/models/{model}`;
  return [
    {
      ...chat(`${model}:generateContent`, "Google's generateContent", 'GenerateContentRequest'),
      parameters: [
        MODEL_IN_PATH,
        { name: 'stream', in: 'query', schema: { type: 'boolean' }, description: 'Stream the answer.' },
      ],
      answers: { 200: jsonOrEvents('GenerateContentResponse', 'GenerateContentEvent') },
    },
    {
      ...chat(`${model}:streamGenerateContent`, "Google's generateContent", 'GenerateContentRequest'),
      parameters: [MODEL_IN_PATH, EVENTS],
      answers: { 200: jsonOrEvents('GenerateContentStream', 'GenerateContentEvent') },
    },
    {
      ...count(`${model}:countTokens`, 'GeminiCountTokensRequest', 'GeminiCountTokensResponse'),
      parameters: [MODEL_IN_PATH],
    },
    {
      ...chat(`${model}:embedContent`, "Google's embeddings", 'EmbedContentRequest'),
      parameters: [MODEL_IN_PATH],
      answers: { 200: json('The embedding.', 'EmbedContentResponse') },
    },
    {
      ...chat(`${model}:batchEmbedContents`, "Google's embeddings", 'BatchEmbedContentsRequest'),
      parameters: [MODEL_IN_PATH],
      answers: { 200: json('The embeddings, in the order of the requests.', 'BatchEmbedContentsResponse') },
    },
  ];
}

function chat(path: string, summary: string, request: SchemaName): Omit<Endpoint, 'answers'> {
  return { method: 'post', path, summary, cost: 'billed', request: { 'application/json': request } };
}

function count(path: string, request: SchemaName, response: SchemaName): Endpoint {
  return {
    method: 'post',
    path,
    summary: "Tokens of a prompt: the provider's own count, or a tokenizer's; free",
    cost: 'free',
    request: { 'application/json': request },
    answers: { 200: { ...json('The count.', response), headers: ESTIMATED } },
    failures: ['insufficient_balance', 'model_not_allowed', 'model_not_found', 'loop_detected'],
  };
}
