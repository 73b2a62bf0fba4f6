/** A body of thousands of valid items: work that grows with their square takes seconds. */
export interface WideBody {
  readonly name: string;
  readonly path: string;
  readonly makeBody: () => Buffer;
}

/** A body may have 50,000 members, and 100,000 texts; converted, a turn holds 4,000 items, and a request 2,000 tools. */
const MANY = 8_000;
const MOST_IN_TURN = 4_000;
const MOST_TOOLS = 2_000;
const MOST_MESSAGES = 24_000;
const MOST_EXCHANGES = 4_900;
/** Pictures of 60 KB, of which a turn holds 1 MB, and inputs of 1 MB as JSON. */
const MOST_PERCENT_ENCODED = 17;
const MOST_INPUTS = 18;
const MOST_TEXTS = 90_000;

const many = (item: (at: number) => unknown, count = MANY): unknown[] =>
  Array.from({ length: count }, (_, at) => item(at));

function body(name: string, path: string, value: object): WideBody {
  return { name, path, makeBody: () => Buffer.from(JSON.stringify(value)) };
}

const user = { role: 'user', content: 'hello' };
const toolCall = (id: string) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } });
const exchange = (at: number) => [
  { role: 'assistant', tool_calls: [toolCall(`c${at}`)] },
  { role: 'tool', tool_call_id: `c${at}`, content: 'r' },
];
/** One after another, they differ only where protocols cut ids off. */
const longId = (at: number) => `${'x'.repeat(62)}${String(at >> 1).padStart(8, '0')}`.slice(-64);

/** Each has to be looked at for what a provider does not take. */
const properties = Object.fromEntries(
  many((at) => [`p${at}`, { type: 'string', minLength: 1, description: 'a' }]) as [string, object][],
);
const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
const layers = {
  allOf: many((at) => ({ required: [`p${at}`], properties: { [`p${at}`]: { type: 'string' } } }), MANY / 2),
};

/** Converted, each by another channel. */
export const WIDE_BODIES: readonly WideBody[] = [
  ...['over-anthropic-plain', 'over-bedrock-nova-plain', 'over-responses-plain', 'over-gemini-plain'].flatMap(
    (model) => [
      body(`calls of one id, ${model}`, '/v1/chat/completions', {
        model,
        messages: [user, { role: 'assistant', tool_calls: many(() => toolCall('a'), MOST_IN_TURN) }],
      }),
      body(`calls of ids that are cut off, ${model}`, '/v1/chat/completions', {
        model,
        messages: [user, { role: 'assistant', tool_calls: many((at) => toolCall(longId(at)), MOST_IN_TURN) }],
      }),
      ...Object.entries({ properties: schema, 'layers of properties': layers }).flatMap(
        ([name, parameters]) => [
          body(`${name}, ${model}`, '/v1/messages', {
            model,
            max_tokens: 16,
            messages: [user],
            tools: [{ name: 'f', strict: true, input_schema: parameters }],
          }),
          body(`${name} of an answer, ${model}`, '/v1/chat/completions', {
            model,
            messages: [user],
            response_format: {
              type: 'json_schema',
              json_schema: { name: 's', strict: true, schema: parameters },
            },
          }),
        ],
      ),
      body(`messages, ${model}`, '/v1/chat/completions', {
        model,
        messages: many(() => user, MOST_MESSAGES),
      }),
      body(`calls and their results, ${model}`, '/v1/chat/completions', {
        model,
        messages: [user, ...many(exchange, MOST_EXCHANGES).flat()],
      }),
      body(`tools and as many allowed, ${model}`, '/v1/responses', {
        model,
        store: false,
        input: 'hello',
        tools: many((at) => ({ type: 'function', name: `f${at}`, parameters: {} }), MOST_TOOLS),
        tool_choice: {
          type: 'allowed_tools',
          mode: 'auto',
          tools: many((at) => ({ type: 'function', name: `f${MOST_TOOLS - at}` }), MOST_TOOLS),
        },
      }),
      body(`stop strings, ${model}`, '/v1/chat/completions', {
        model,
        messages: [user],
        stop: many((at) => `stop ${at}`, MOST_TEXTS),
      }),
    ],
  ),
  body('properties in the dialect of Google', '/v1beta/models/over-anthropic-plain:generateContent', {
    contents: [{ parts: [{ text: 'hello' }] }],
    tools: [{ functionDeclarations: [{ name: 'f', parameters: schema }] }],
  }),
  body('images of the model', '/v1beta/models/over-anthropic-plain:generateContent', {
    contents: many(
      () => ({ role: 'model', parts: [{ inlineData: { mimeType: 'image/png', data: 'AAAA' } }] }),
      MOST_IN_TURN,
    ),
  }),
  body('calls and results of one name', '/v1beta/models/over-anthropic-plain:generateContent', {
    contents: [
      { role: 'user', parts: [{ text: 'hello' }] },
      { role: 'model', parts: many((at) => ({ functionCall: { id: `c${at}`, name: 'f' } }), MOST_IN_TURN) },
      {
        role: 'user',
        parts: many(
          (at) => ({ functionResponse: { id: `c${MOST_IN_TURN - 1 - at}`, name: 'f', response: {} } }),
          MOST_IN_TURN,
        ),
      },
    ],
  }),
  body('percent-encoded pictures', '/v1/chat/completions', {
    model: 'over-anthropic-plain',
    messages: [
      {
        role: 'user',
        content: many(
          () => ({ type: 'image_url', image_url: { url: `data:image/png,${'%41'.repeat(20_000)}` } }),
          MOST_PERCENT_ENCODED,
        ),
      },
    ],
  }),
  body('inputs of a custom tool', '/v1/responses', {
    model: 'over-gemini-plain',
    store: false,
    input: [
      { role: 'user', content: 'hello' },
      ...many(
        (at) => [
          { type: 'custom_tool_call', call_id: `c${at}`, name: 'f', input: '\n'.repeat(512 * 1024) },
          { type: 'custom_tool_call_output', call_id: `c${at}`, output: 'r' },
        ],
        MOST_INPUTS,
      ).flat(),
    ],
  }),
  body('documents of one name', '/v1/messages', {
    model: 'over-bedrock-nova-plain',
    max_tokens: 16,
    messages: [
      {
        role: 'user',
        content: many(
          () => ({
            type: 'document',
            title: 'a',
            source: { type: 'text', media_type: 'text/plain', data: 'b' },
          }),
          MOST_IN_TURN,
        ),
      },
    ],
  }),
];
