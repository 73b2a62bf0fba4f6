import { ERROR_TABLE } from '@mg/contract';

export type Schema = Record<string, unknown>;

export const text: Schema = { type: 'string' };
export const integer: Schema = { type: 'integer' };

const IMAGE_FIELDS: Schema = {
  model: text,
  prompt: text,
  n: { ...integer, minimum: 1, maximum: 10, default: 1 },
  size: { ...text, description: '<width>x<height>, or auto.' },
  quality: text,
  response_format: { ...text, enum: ['url', 'b64_json'] },
  stream: { type: 'boolean' },
  partial_images: { ...integer, minimum: 0, maximum: 3 },
};

/** The bodies that the description of the gateway plane names. */
export const SCHEMAS: Record<string, Schema> = {
  ChatCompletionRequest: {
    type: 'object',
    required: ['model', 'messages'],
    additionalProperties: true,
    properties: {
      model: { ...text, description: 'Model slug.' },
      messages: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['role'],
          properties: { role: text, content: {} },
          additionalProperties: true,
        },
      },
      stream: { type: 'boolean' },
      stream_options: { type: 'object', properties: { include_usage: { type: 'boolean' } } },
      temperature: { type: 'number', minimum: 0, maximum: 2 },
      max_tokens: { ...integer, minimum: 1 },
      max_completion_tokens: { ...integer, minimum: 1 },
      n: { ...integer, minimum: 1, maximum: 128 },
    },
  },
  MessagesRequest: {
    type: 'object',
    required: ['model', 'max_tokens', 'messages'],
    additionalProperties: true,
    properties: {
      model: text,
      max_tokens: { ...integer, minimum: 1 },
      messages: { type: 'array', minItems: 1, items: { type: 'object', additionalProperties: true } },
      system: {},
      stream: { type: 'boolean' },
    },
  },
  ResponsesRequest: {
    type: 'object',
    required: ['model', 'input'],
    additionalProperties: true,
    properties: { model: text, input: {}, instructions: text, stream: { type: 'boolean' } },
  },
  CompletionRequest: {
    type: 'object',
    required: ['model', 'prompt'],
    additionalProperties: true,
    properties: {
      model: text,
      prompt: {
        oneOf: [text, { type: 'array', minItems: 1, items: {} }],
        description: 'A text; several texts, or tokens, where the channel speaks this protocol itself.',
      },
      max_tokens: { ...integer, minimum: 0, default: 16 },
      n: { ...integer, minimum: 1, maximum: 128 },
      logprobs: { ...integer, minimum: 0 },
      stream: { type: 'boolean' },
      stream_options: { type: 'object', properties: { include_usage: { type: 'boolean' } } },
    },
  },
  GenerateContentRequest: {
    type: 'object',
    required: ['contents'],
    additionalProperties: true,
    properties: {
      contents: { type: 'array', minItems: 1, items: { type: 'object', additionalProperties: true } },
      systemInstruction: {},
      stream: { type: ['boolean', 'null'] },
    },
  },
  EmbeddingRequest: {
    type: 'object',
    required: ['model', 'input'],
    additionalProperties: true,
    properties: {
      model: text,
      input: { description: 'A text, several, or token ids.' },
      dimensions: { ...integer, minimum: 1 },
      encoding_format: { ...text, enum: ['float', 'base64'] },
    },
  },
  ImageRequest: {
    type: 'object',
    required: ['model', 'prompt'],
    additionalProperties: true,
    properties: IMAGE_FIELDS,
  },
  ImageEditForm: {
    type: 'object',
    required: ['model', 'prompt', 'image'],
    additionalProperties: true,
    properties: {
      ...IMAGE_FIELDS,
      image: { ...text, format: 'binary', description: 'PNG smaller than 4 MB; several as image[].' },
      mask: { ...text, format: 'binary', description: 'PNG; what is transparent may change.' },
    },
  },
  ImageEditRequest: {
    type: 'object',
    required: ['model', 'prompt', 'images'],
    additionalProperties: true,
    properties: {
      ...IMAGE_FIELDS,
      images: {
        type: 'array',
        minItems: 1,
        maxItems: 16,
        items: { type: 'object', properties: { image_url: text, file_id: text } },
      },
      mask: { type: 'object', properties: { image_url: text, file_id: text } },
    },
  },
  TranscriptionForm: {
    type: 'object',
    required: ['file', 'model'],
    additionalProperties: true,
    properties: {
      file: { ...text, format: 'binary', description: 'A recording of at most 25 MB.' },
      model: text,
      language: { ...text, description: 'ISO 639-1.' },
      prompt: text,
      response_format: { ...text, enum: ['json', 'text', 'srt', 'verbose_json', 'vtt', 'diarized_json'] },
      temperature: { type: 'number', minimum: 0, maximum: 1 },
      stream: { type: 'boolean' },
    },
  },
  SpeechRequest: {
    type: 'object',
    required: ['model', 'input', 'voice'],
    additionalProperties: true,
    properties: {
      model: text,
      input: { ...text, maxLength: 4_096 },
      voice: {},
      instructions: text,
      response_format: text,
      speed: { type: 'number', minimum: 0.25, maximum: 4 },
      stream_format: { ...text, enum: ['audio', 'sse'] },
    },
  },
  EmbedContentRequest: {
    type: 'object',
    additionalProperties: true,
    properties: {
      content: { type: 'object', additionalProperties: true },
      requests: { type: 'array', items: { type: 'object', additionalProperties: true } },
      taskType: text,
      outputDimensionality: { ...integer, minimum: 1 },
    },
  },
  ModerationRequest: {
    type: 'object',
    required: ['input'],
    additionalProperties: true,
    properties: { model: text, input: {} },
  },
  RerankRequest: {
    type: 'object',
    required: ['model', 'query', 'documents'],
    additionalProperties: true,
    properties: {
      model: text,
      query: text,
      documents: { type: 'array', minItems: 1, maxItems: 1_000, items: {} },
      top_n: { ...integer, minimum: 1 },
      return_documents: { type: 'boolean' },
    },
  },
  ChatCompletion: {
    type: 'object',
    additionalProperties: true,
    properties: {
      id: text,
      object: { const: 'chat.completion' },
      created: integer,
      model: text,
      choices: { type: 'array', items: { type: 'object', additionalProperties: true } },
      usage: {
        type: 'object',
        properties: { prompt_tokens: integer, completion_tokens: integer, total_tokens: integer },
      },
    },
  },
  Error: {
    type: 'object',
    properties: {
      detail: {
        type: 'object',
        required: ['code', 'message', 'request_id', 'type'],
        properties: {
          code: { ...text, enum: Object.keys(ERROR_TABLE) },
          message: text,
          request_id: text,
          type: text,
          param: text,
          retry_after: integer,
          upstream_status: integer,
          reason: { ...text, enum: Object.keys(ERROR_TABLE) },
        },
      },
      error: { type: 'object', description: 'The same in the dialect of the endpoint, for official SDKs.' },
    },
  },
};
