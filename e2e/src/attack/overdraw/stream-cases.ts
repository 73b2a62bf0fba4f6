import type { Json } from '@mg/testkit';
import { CHAT_CASES } from './chat-cases.js';
import type { ModelName, OverdrawCase } from './overdraw-case.js';

/** Tokens of the prompt of a request that says `hi`, by any tokenizer. */
const HI_TOKENS = 1;
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WEB = 'https://example.com/large.pdf';
const LARGEST_IMAGE = 16_384;
const LARGEST_CLAUDE_IMAGE = 5_000;
const SHORT = 20;
const HI = [{ role: 'user', content: 'hi' }];

type Facts = Omit<Partial<OverdrawCase>, 'name' | 'model' | 'path' | 'write'>;
type Asker = (model: ModelName, name: string, extra: Json, facts: Facts) => OverdrawCase;

function ask(path: string, body: (slug: string) => Json): Asker {
  return (model, name, extra, facts) => ({
    name: `${path.replace('/{model}', '')} of ${model}: ${name}`,
    model,
    path,
    write: (slug) => ({ ...body(slug), ...extra }),
    ...facts,
  });
}

const chat = ask('/v1/chat/completions', (model) => ({
  model,
  messages: HI,
  max_completion_tokens: 50,
  stream: true,
}));
const completion = ask('/v1/completions', (model) => ({ model, prompt: 'hi', max_tokens: 50, stream: true }));
const response = ask('/v1/responses', (model) => ({
  model,
  input: 'hi',
  max_output_tokens: 50,
  stream: true,
}));
const message = ask('/v1/messages', (model) => ({ model, messages: HI, max_tokens: 50, stream: true }));
const gemini = ask('/v1beta/models/{model}:streamGenerateContent?alt=sse', () => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { maxOutputTokens: 50 },
}));
const paint = ask('/v1/images/generations', (model) => ({ model, prompt: 'a fox', stream: true }));

const saying = (...content: Json[]) => ({ messages: [{ role: 'user', content }] });
const IMAGE_URL = { type: 'image_url', image_url: { url: `data:image/png;base64,${DOT}` } };
const FILE = { type: 'file', file: { file_id: 'file-1' } };
const CLAUDE_IMAGE = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: DOT } };
const DOCUMENT = { type: 'document', source: { type: 'url', url: WEB } };
const SEARCH = { type: 'web_search_20250305', name: 'web_search' };
const inlineDot = { inlineData: { mimeType: 'image/png', data: DOT } };
const showing = (...parts: Json[]) => ({ contents: [{ role: 'user', parts }] });
const giving = (part: Json) => ({ input: [{ role: 'user', content: [part] }] });

const within = (facts: Facts): Facts => ({ ...facts, leaves: 'within' });
const before = (facts: Facts): Facts => ({ ...facts, leaves: 'before' });
const TOLD_AT_END: Facts = { runsOn: true };

/** Texts, of which a tokenizer counts what nobody reports. */
const LEFT_TEXTS: readonly OverdrawCase[] = [
  chat('openai', 'left', {}, within({ promptTokens: HI_TOKENS })),
  chat('openai', 'left before it begins', {}, before({ promptTokens: HI_TOKENS, fullSizeOnly: true })),
  chat('anthropic', 'left', {}, within({ promptTokens: SHORT, fullSizeOnly: true })),
  completion('compatible', 'left', {}, within({ promptTokens: HI_TOKENS, fullSizeOnly: true })),
  response('openai', 'left', {}, within({ promptTokens: HI_TOKENS, fullSizeOnly: true })),
  response('compatible', 'left', {}, within({ promptTokens: HI_TOKENS, fullSizeOnly: true })),
  message('anthropic', 'left', {}, within({ promptTokens: SHORT, fullSizeOnly: true })),
  message('compatible', 'left', {}, within({ promptTokens: HI_TOKENS, fullSizeOnly: true })),
  gemini('gemini', 'left', {}, within({ promptTokens: SHORT, fullSizeOnly: true })),
  gemini('openai', 'left', {}, within({ promptTokens: HI_TOKENS, fullSizeOnly: true })),
  chat('openai', 'usage that is not told', {}, { promptTokens: HI_TOKENS, tellsNothing: true }),
  chat(
    'compatible',
    'usage that is not told, nor asked for',
    { stream_options: { include_usage: false } },
    { promptTokens: HI_TOKENS, tellsNothing: true, fullSizeOnly: true },
  ),
  chat(
    'openai',
    'usage that is not asked for',
    { stream_options: { include_usage: false } },
    { promptTokens: SHORT, fullSizeOnly: true },
  ),
  response(
    'compatible',
    'usage that is not told',
    {},
    {
      promptTokens: HI_TOKENS,
      tellsNothing: true,
      fullSizeOnly: true,
    },
  ),
  gemini(
    'gemini',
    'usage that is not told',
    {},
    {
      promptTokens: HI_TOKENS,
      tellsNothing: true,
      fullSizeOnly: true,
    },
  ),
  chat('compatible', 'ten times the cap', {}, { promptTokens: SHORT, ignoresCap: true, fullSizeOnly: true }),
  message(
    'anthropic',
    'ten times the cap',
    {},
    { promptTokens: SHORT, ignoresCap: true, fullSizeOnly: true },
  ),
];

/** What only the provider can count. */
const LEFT_MEDIA: readonly OverdrawCase[] = [
  chat('openai', 'a file, left', saying(FILE), within(TOLD_AT_END)),
  chat('openai', 'a file, left before it begins', saying(FILE), before(TOLD_AT_END)),
  chat('compatible', 'an image, left', saying(IMAGE_URL), {
    ...within(TOLD_AT_END),
    promptTokens: LARGEST_IMAGE,
    fullSizeOnly: true,
  }),
  chat(
    'openai',
    'a prediction, left',
    { prediction: { type: 'content', content: 'x'.repeat(20_000) } },
    { ...within(TOLD_AT_END), promptTokens: SHORT, fullSizeOnly: true },
  ),
  response('openai', 'a document by URL, left', giving({ type: 'input_file', file_url: WEB }), {
    ...within(TOLD_AT_END),
    fullSizeOnly: true,
  }),
  response(
    'openai',
    'searching the web, left',
    { tools: [{ type: 'web_search' }] },
    {
      ...within(TOLD_AT_END),
      promptTokens: SHORT,
    },
  ),
  message('anthropic', 'a document by URL, left', saying(DOCUMENT), within({ fullSizeOnly: true })),
  message('anthropic', 'a document by URL, left before it begins', saying(DOCUMENT), {
    ...before(TOLD_AT_END),
    fullSizeOnly: true,
  }),
  message(
    'anthropic',
    'searching the web, left',
    { tools: [SEARCH] },
    {
      ...within(TOLD_AT_END),
      promptTokens: SHORT,
      fullSizeOnly: true,
    },
  ),
  message('compatible', 'an image, left', saying(CLAUDE_IMAGE), {
    ...within(TOLD_AT_END),
    promptTokens: LARGEST_IMAGE,
  }),
  chat(
    'anthropic',
    'an image, left',
    saying(IMAGE_URL),
    within({ promptTokens: LARGEST_CLAUDE_IMAGE, fullSizeOnly: true }),
  ),
  gemini(
    'gemini',
    'an image, left',
    showing(inlineDot),
    within({ promptTokens: LARGEST_IMAGE, fullSizeOnly: true }),
  ),
  gemini('gemini', 'an image, left before it begins', showing(inlineDot), {
    ...before(TOLD_AT_END),
    promptTokens: LARGEST_IMAGE,
    fullSizeOnly: true,
  }),
  paint('paint', 'a stream', { n: 2, quality: 'high', size: '1536x1024' }, { fullSizeOnly: true }),
  paint('paint', 'a stream with previews, left', { partial_images: 3 }, within(TOLD_AT_END)),
  paint('paint', 'a stream, left before it begins', {}, before(TOLD_AT_END)),
];

/** Every trick of a whole answer, as a stream; compactions have none. */
const STREAMED: readonly OverdrawCase[] = CHAT_CASES.filter(({ path }) => !path.endsWith('/compact')).map(
  (trick) => ({
    ...trick,
    name: `${trick.name}, streamed`,
    path: trick.path.replace(':generateContent', ':streamGenerateContent?alt=sse'),
    write: (slug) => {
      const body = trick.write(slug);
      return body instanceof FormData || trick.path.includes(':') ? body : { ...body, stream: true };
    },
    fullSizeOnly: true,
  }),
);

/** Tricks of streams, in every protocol and between them. */
export const STREAM_CASES: readonly OverdrawCase[] = [...LEFT_TEXTS, ...LEFT_MEDIA, ...STREAMED];
