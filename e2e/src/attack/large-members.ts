/** Where a body can be large: an endpoint, and what stands around the large value. */
export interface LargeMember {
  /** The endpoint and the member, for whoever reads the figures. */
  readonly name: string;
  readonly group: MemberGroup;
  readonly path: string;
  readonly contentType: string;
  /** Largest body in MB, about: what the endpoint reads. */
  readonly most: number;
  /** How often the value stands in it. */
  readonly values: number;
  /** @param value JSON, or what is left of it where it ends in the middle. */
  makeBody(value: string): Buffer;
}

/** Endpoints that are attacked at once. */
export type MemberGroup = 'chats' | 'texts' | 'images and sounds' | 'what is kept' | 'the Console';

/** JSON bodies have 20 MB at most, those of free calls 4 MB, those of the Console 1 MB. */
const MOST = 19.9;
const MOST_FREE = 3.9;
const MOST_OF_CONSOLE = 0.9;
/** Fields of a form have 256 KB at most. */
const MOST_OF_FIELD = 0.24;
const VALUE = '<value>';
const BOUNDARY = 'attack';
/** Signature, length, name, width and height: as much of a PNG as says that it is one. */
const PNG_HEAD = Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001', 'hex');
const WAV_HEAD = Buffer.from('524946460000000057415645666d7420', 'hex');

type Part = readonly [name: string, value: string | Buffer, filename?: string];

function inJson(
  group: MemberGroup,
  path: string,
  most: number,
  bodies: Record<string, string>,
): LargeMember[] {
  return Object.entries(bodies).map(([member, template]) => ({
    name: `${path}: ${member}`,
    group,
    path,
    contentType: 'application/json',
    most,
    values: template.split(VALUE).length - 1,
    makeBody: (value) => Buffer.from(template.split(VALUE).join(value)),
  }));
}

function inForm(
  group: MemberGroup,
  path: string,
  bodies: Record<string, { readonly most: number; readonly parts: (value: string) => readonly Part[] }>,
): LargeMember[] {
  return Object.entries(bodies).map(([member, { most, parts }]) => ({
    name: `${path}: ${member} of a form`,
    group,
    path,
    contentType: `multipart/form-data; boundary=${BOUNDARY}`,
    most,
    values: 1,
    makeBody: (value) => writeForm(parts(value)),
  }));
}

function writeForm(parts: readonly Part[]): Buffer {
  const written = parts.flatMap(([name, value, filename]) => {
    const file =
      filename === undefined ? '' : `; filename="${filename}"\r\ncontent-type: application/octet-stream`;
    return [
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n`,
      value,
      '\r\n',
    ].map((piece) => Buffer.from(piece));
  });
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}

/** A value within the string of a `data:` URL; one that is no string stays as it is. */
function inDataUrl(value: string): string {
  return value.startsWith('"')
    ? `"data:image/png;base64,${PNG_HEAD.toString('base64')}${value.slice(1)}`
    : value;
}

const user = `{"role":"user","content":${VALUE}}`;
const hello = '{"role":"user","content":"hello"}';
const call = '{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}';

const MANY_CALLS = 20;
const calls = (write: () => string) => Array.from({ length: MANY_CALLS }, write).join();

/** Arguments of calls are JSON within a text for some, and an object for others; each is as long as is read. */
const MANY_ARGUMENTS: readonly LargeMember[] = [
  ...inJson('chats', '/v1/chat/completions', MOST, {
    'arguments of many calls': `{"model":"over-anthropic-plain","messages":[${hello},{"role":"assistant","tool_calls":[${calls(() => call.replace('"{}"', VALUE))}]}]}`,
  }).map((member) => ({
    ...member,
    makeBody: (value: string) => member.makeBody(JSON.stringify(`{"a":${value}}`)),
  })),
  ...['over-gemini-plain', 'plain'].flatMap((model) =>
    inJson('chats', '/v1/messages', MOST, {
      [`input of many calls, ${model}`]: `{"model":"${model}","max_tokens":16,"messages":[${hello},{"role":"assistant","content":[${calls(() => `{"type":"tool_use","id":"t","name":"f","input":{"a":${VALUE}}}`)}]}]}`,
    }),
  ),
];

const document = (source: string) => `{"type":"document","source":{${source}}}`;

/** Files that stand in a message, as text, as base64 of either alphabet, or in a `data:` URL. */
const FILES: readonly LargeMember[] = [
  ...['over-gemini-plain', 'over-bedrock-nova-plain', 'plain'].flatMap((model) =>
    inJson('chats', '/v1/messages', MOST, {
      [`text of a document, ${model}`]: `{"model":"${model}","max_tokens":16,"messages":[{"role":"user","content":[${document(`"type":"text","media_type":"text/plain","data":${VALUE}`)}]}]}`,
      [`text in base64, ${model}`]: `{"model":"${model}","max_tokens":16,"messages":[{"role":"user","content":[${document(`"type":"base64","media_type":"text/plain","data":${VALUE}`)}]}]}`,
    }),
  ),
  ...inJson('chats', '/v1beta/models/over-anthropic-plain:generateContent', MOST, {
    'text in inlineData': `{"contents":[{"parts":[{"inlineData":{"mimeType":"text/plain","data":${VALUE}}}]}]}`,
    'inlineData of another alphabet': `{"contents":[{"parts":[{"inlineData":{"mimeType":"application/pdf","data":${VALUE}}}]}]}`,
  }).map((member) => ({
    ...member,
    makeBody: (value: string) => member.makeBody(value.replace(/"$/, '_-"')),
  })),
  ...['data:image/png;base64,', 'data:image/png,', 'data:image/png;'].flatMap((head) =>
    inJson('chats', '/v1/chat/completions', MOST, {
      [`image_url that begins with ${head}`]: `{"model":"over-anthropic-plain","messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":${VALUE}}}]}]}`,
    }).map((member) => ({
      ...member,
      makeBody: (value: string) => member.makeBody(value.replace(/^"/, `"${head}`)),
    })),
  ),
  ...inJson('chats', '/v1/responses', MOST, {
    file_data: `{"model":"over-anthropic-plain","store":false,"input":[{"role":"user","content":[{"type":"input_file","filename":"a.txt","file_data":${VALUE}}]}]}`,
  }),
];

/** Endpoints of chats, in their own protocol and converted, and what they count. */
const CHATS: readonly LargeMember[] = [
  ...MANY_ARGUMENTS,
  ...FILES,
  ...['plain', 'over-anthropic-plain', 'over-gemini-plain'].flatMap((model) =>
    inJson('chats', '/v1/chat/completions', MOST, {
      [`messages, ${model}`]: `{"model":"${model}","max_tokens":16,"messages":[${user}]}`,
      [`tools, ${model}`]: `{"model":"${model}","max_tokens":16,"messages":[${hello}],"tools":[{"type":"function","function":{"name":"f","description":${VALUE}}}]}`,
      [`schema of a tool, ${model}`]: `{"model":"${model}","max_tokens":16,"messages":[${hello}],"tools":[{"type":"function","function":{"name":"f","parameters":${VALUE}}}]}`,
    }),
  ),
  ...inJson('chats', '/v1/chat/completions', MOST, {
    response_format: `{"model":"plain","messages":[${hello}],"response_format":{"type":"json_schema","json_schema":{"name":"s","schema":${VALUE}}}}`,
    prediction: `{"model":"plain","messages":[${hello}],"prediction":{"type":"content","content":${VALUE}}}`,
    arguments: `{"model":"over-anthropic-plain","messages":[${hello},{"role":"assistant","tool_calls":[${call.replace('"{}"', VALUE)}]}]}`,
    'result of a tool': `{"model":"over-gemini-plain","messages":[${hello},{"role":"assistant","tool_calls":[${call}]},{"role":"tool","tool_call_id":"c","content":${VALUE}}]}`,
    metadata: `{"model":"plain","messages":[${hello}],"metadata":${VALUE}}`,
    model: `{"model":${VALUE},"messages":[${hello}]}`,
  }),
  ...inJson('chats', '/v1/completions', MOST, { prompt: `{"model":"plain","prompt":${VALUE}}` }),
  ...inJson('chats', '/v1/messages', MOST, {
    messages: `{"model":"plain","max_tokens":16,"messages":[${user}]}`,
    system: `{"model":"plain","max_tokens":16,"system":${VALUE},"messages":[${hello}]}`,
    tools: `{"model":"plain","max_tokens":16,"messages":[${hello}],"tools":[{"name":"f","input_schema":${VALUE}}]}`,
    tool_result: `{"model":"plain","max_tokens":16,"messages":[${hello},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":${VALUE}}]}]}`,
  }),
  ...inJson('chats', '/v1/messages/count_tokens', MOST_FREE, {
    messages: `{"model":"plain","messages":[${user}]}`,
    tools: `{"model":"plain","messages":[${hello}],"tools":[{"name":"f","input_schema":${VALUE}}]}`,
  }),
  ...inJson('chats', '/v1/responses', MOST, {
    input: `{"model":"plain","store":false,"input":${VALUE}}`,
    'input of items': `{"model":"plain","store":false,"input":[${user}]}`,
    instructions: `{"model":"plain","store":false,"input":"hello","instructions":${VALUE}}`,
    tools: `{"model":"plain","store":false,"input":"hello","tools":[{"type":"function","name":"f","parameters":${VALUE}}]}`,
    text: `{"model":"plain","store":false,"input":"hello","text":{"format":{"type":"json_schema","name":"s","schema":${VALUE}}}}`,
  }),
  ...inJson('chats', '/v1/responses/input_tokens', MOST_FREE, {
    input: `{"model":"plain","input":${VALUE}}`,
  }),
  ...inJson('chats', '/v1/responses/compact', MOST, { input: `{"model":"plain","input":[${user}]}` }),
  ...inJson('chats', '/v1beta/models/plain:generateContent', MOST, {
    contents: `{"contents":[{"parts":[{"text":${VALUE}}]}]}`,
    systemInstruction: `{"systemInstruction":{"parts":[{"text":${VALUE}}]},"contents":[{"parts":[{"text":"hello"}]}]}`,
    tools: `{"tools":[{"functionDeclarations":[{"name":"f","parameters":${VALUE}}]}],"contents":[{"parts":[{"text":"hello"}]}]}`,
    responseSchema: `{"generationConfig":{"responseSchema":${VALUE}},"contents":[{"parts":[{"text":"hello"}]}]}`,
  }),
  ...inJson('chats', '/v1beta/models/plain:countTokens', MOST_FREE, {
    contents: `{"contents":[{"parts":[{"text":${VALUE}}]}]}`,
    generateContentRequest: `{"generateContentRequest":{"model":"models/plain","contents":[{"parts":[{"text":${VALUE}}]}]}}`,
  }),
];

/** Embeddings, rankings and moderations, in their own wire format and converted. */
const TEXTS: readonly LargeMember[] = [
  ...['embed-openai', 'embed-gemini', 'embed-cohere'].flatMap((model) =>
    inJson('texts', '/v1/embeddings', MOST, {
      [`input, ${model}`]: `{"model":"${model}","input":${VALUE}}`,
      [`input of several, ${model}`]: `{"model":"${model}","input":["hello",${VALUE}]}`,
      [`input of lists, ${model}`]: `{"model":"${model}","input":[[1],${VALUE}]}`,
    }),
  ),
  ...['embed-gemini', 'embed-openai'].flatMap((model) => [
    ...inJson('texts', `/v1beta/models/${model}:embedContent`, MOST, {
      content: `{"content":{"parts":[{"text":${VALUE}}]}}`,
    }),
    ...inJson('texts', `/v1beta/models/${model}:batchEmbedContents`, MOST, {
      requests: `{"requests":[{"model":"models/${model}","content":{"parts":[{"text":${VALUE}}]}}]}`,
    }),
  ]),
  ...['rank-jina', 'rank-cohere'].flatMap((model) =>
    inJson('texts', '/v1/rerank', MOST, {
      [`documents, ${model}`]: `{"model":"${model}","query":"hello","documents":["hello",${VALUE}]}`,
      [`query, ${model}`]: `{"model":"${model}","query":${VALUE},"documents":["hello"]}`,
    }),
  ),
  ...inJson('texts', '/v1/moderations', MOST, {
    input: `{"model":"moderate","input":${VALUE}}`,
    'input of parts': `{"model":"moderate","input":[{"type":"text","text":${VALUE}}]}`,
  }),
];

const IMAGES_AND_SOUNDS: readonly LargeMember[] = [
  ...['paint-gpt', 'paint-gemini'].flatMap((model) => [
    ...inJson('images and sounds', '/v1/images/generations', MOST, {
      [`prompt, ${model}`]: `{"model":"${model}","prompt":${VALUE}}`,
    }),
    ...inJson('images and sounds', '/v1/images/edits', MOST, {
      [`images, ${model}`]: `{"model":"${model}","prompt":"a fox","images":[${[VALUE, VALUE, VALUE].map((value) => `{"image_url":${value}}`).join()}]}`,
    }).map((member) => ({ ...member, makeBody: (value: string) => member.makeBody(inDataUrl(value)) })),
    ...inForm('images and sounds', '/v1/images/edits', {
      [`image, ${model}`]: {
        most: MOST_FREE,
        parts: (value) => [
          ['model', model],
          ['prompt', 'a fox'],
          ...[1, 2, 3, 4].map((): Part => [
            'image[]',
            Buffer.concat([PNG_HEAD, Buffer.from(value)]),
            'a.png',
          ]),
        ],
      },
      [`prompt, ${model}`]: {
        most: MOST_OF_FIELD,
        parts: (value) => [
          ['model', model],
          ['prompt', value],
          ['image', PNG_HEAD, 'a.png'],
        ],
      },
    }),
    ...inJson('images and sounds', `/v1beta/models/${model}:generateContent`, MOST, {
      inlineData: `{"contents":[{"parts":[{"text":"a fox"},{"inlineData":{"mimeType":"image/png","data":${VALUE}}}]}]}`,
    }),
  ]),
  ...['hear-whisper', 'hear-gemini'].flatMap((model) =>
    inForm('images and sounds', '/v1/audio/transcriptions', {
      [`file, ${model}`]: {
        most: MOST,
        parts: (value) => [
          ['model', model],
          ['file', Buffer.concat([WAV_HEAD, Buffer.from(value)]), 'a.wav'],
        ],
      },
      [`prompt, ${model}`]: {
        most: MOST_OF_FIELD,
        parts: (value) => [
          ['model', model],
          ['prompt', value],
          ['file', WAV_HEAD, 'a.wav'],
        ],
      },
    }),
  ),
  ...inJson('images and sounds', '/v1/audio/speech', MOST, {
    input: `{"model":"say","voice":"alloy","input":${VALUE}}`,
    instructions: `{"model":"say","voice":"alloy","input":"hello","instructions":${VALUE}}`,
  }),
  ...inJson('images and sounds', '/v1/videos', MOST, {
    prompt: `{"model":"video-refused","prompt":${VALUE}}`,
  }),
  ...inJson('images and sounds', '/v1/video/generations', MOST, {
    prompt: `{"model":"video-refused","prompt":${VALUE}}`,
  }),
  ...inJson('images and sounds', '/videonative/api/v3/contents/generations/tasks', MOST, {
    content: `{"model":"video-refused","content":[{"type":"text","text":${VALUE}}]}`,
  }),
];

const KEPT: readonly LargeMember[] = [
  ...inJson('what is kept', '/v1/conversations', MOST_FREE, {
    items: `{"items":[{"type":"message","role":"user","content":${VALUE}}]}`,
    metadata: `{"metadata":${VALUE}}`,
  }),
  ...inJson('what is kept', '/v1/responses', MOST_FREE, {
    'input that is kept': `{"model":"plain","input":[${user}]}`,
  }),
  ...inJson('what is kept', '/v1beta/cachedContents', MOST, {
    contents: `{"model":"models/kept","contents":[{"role":"user","parts":[{"text":${VALUE}}]}]}`,
  }),
  ...inJson('what is kept', '/v1/messages/batches', MOST, {
    requests: `{"requests":[{"custom_id":"a","params":{"model":"unknown","max_tokens":16,"messages":[${user}]}}]}`,
  }),
  ...inJson('what is kept', '/v1beta/models/unknown:batchGenerateContent', MOST, {
    requests: `{"batch":{"displayName":"a","inputConfig":{"requests":{"requests":[{"request":{"contents":[{"parts":[{"text":${VALUE}}]}]}}]}}}}`,
  }),
  ...inJson('what is kept', '/v1/batches', MOST, {
    input_file_id: `{"endpoint":"/v1/chat/completions","completion_window":"24h","input_file_id":${VALUE}}`,
  }),
  ...inForm('what is kept', '/v1/files', {
    file: {
      most: MOST,
      parts: (value) => [
        ['purpose', 'batch'],
        ['file', value, 'a.jsonl'],
      ],
    },
  }),
];

const CONSOLE: readonly LargeMember[] = [
  ...inJson('the Console', '/api/v1/auth/login', MOST_OF_CONSOLE, {
    password: `{"email":"nobody@example.com","password":${VALUE}}`,
  }),
  ...inJson('the Console', '/api/v1/invitations/look', MOST_OF_CONSOLE, { token: `{"token":${VALUE}}` }),
  ...inJson('the Console', '/api/v1/price-imports', MOST_OF_CONSOLE, {
    'content of CSV': `{"format":"csv","content":${VALUE}}`,
    'content of YAML': `{"format":"yaml","content":${VALUE}}`,
  }),
  ...inJson('the Console', '/api/v1/channels', MOST_OF_CONSOLE, {
    models: `{"name":"large","type":"openai-compatible","models":${VALUE}}`,
    settings: `{"name":"large","type":"openai-compatible","models":["a"],"settings":${VALUE}}`,
  }),
];

/** Every endpoint that takes a body, with the members of it that can be large. */
export const LARGE_MEMBERS: readonly LargeMember[] = [
  ...CHATS,
  ...TEXTS,
  ...IMAGES_AND_SOUNDS,
  ...KEPT,
  ...CONSOLE,
];
