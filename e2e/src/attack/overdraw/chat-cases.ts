import type { Json } from '@mg/testkit';
import type { ModelName, OverdrawCase } from './overdraw-case.js';

const PDF = 'data:application/pdf;base64,JVBERi0xLjQK';
const DOT =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const WEB = 'https://example.com/large.pdf';
const IMAGE_URL = 'https://example.com/large.png';
/** Tokens of the largest image. */
const LARGEST_IMAGE = 16_384;
const LARGEST_CLAUDE_IMAGE = 5_000;
/** A short prompt; its tokens are fewer than its bytes. */
const SHORT = 20;

type Facts = Partial<Pick<OverdrawCase, 'promptTokens' | 'refused' | 'headers' | 'fullSizeOnly'>>;

function ask(
  model: ModelName,
  path: string,
  body: (slug: string) => Json,
): (name: string, extra: Json, facts?: Facts) => OverdrawCase {
  return (name, extra, facts = {}) => ({
    name: `${path.replace('/{model}', '')} of ${model}: ${name}`,
    model,
    path,
    write: (slug) => ({ ...body(slug), ...extra }),
    ...facts,
  });
}

const HI = [{ role: 'user', content: 'hi' }];
const chat = ask('openai', '/v1/chat/completions', (model) => ({
  model,
  messages: HI,
  max_completion_tokens: 50,
}));
const openChat = ask('openai', '/v1/chat/completions', (model) => ({ model, messages: HI }));
const alike = ask('compatible', '/v1/chat/completions', (model) => ({ model, messages: HI }));
const plain = ask('plain', '/v1/chat/completions', (model) => ({ model, messages: HI, max_tokens: 50 }));
const qwen = ask('qwen', '/v1/chat/completions', (model) => ({ model, messages: HI, max_tokens: 50 }));
const completion = ask('compatible', '/v1/completions', (model) => ({ model, prompt: 'hi' }));
const response = ask('openai', '/v1/responses', (model) => ({ model, input: 'hi', max_output_tokens: 50 }));
const compaction = ask('openai', '/v1/responses/compact', (model) => ({ model, input: 'hi' }));
const summary = ask('anthropic', '/v1/responses/compact', (model) => ({ model, input: 'hi' }));
const message = ask('anthropic', '/v1/messages', (model) => ({ model, messages: HI, max_tokens: 50 }));
const gemini = ask('gemini', '/v1beta/models/{model}:generateContent', () => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
  generationConfig: { maxOutputTokens: 50 },
}));

const saying = (...content: Json[]) => ({ messages: [{ role: 'user', content }] });
const giving = (...content: Json[]) => ({ input: [{ role: 'user', content }] });
const showing = (...parts: Json[]) => ({ contents: [{ role: 'user', parts }] });

const CHATS: readonly OverdrawCase[] = [
  chat('a file by its id', saying({ type: 'file', file: { file_id: 'file-1' } })),
  chat('a document inline', saying({ type: 'file', file: { filename: 'a.pdf', file_data: PDF } })),
  chat('an image by URL', saying({ type: 'image_url', image_url: { url: IMAGE_URL } }), {
    promptTokens: LARGEST_IMAGE,
  }),
  chat(
    'a tiny image inline',
    saying({ type: 'image_url', image_url: { url: `data:image/png;base64,${DOT}` } }),
    {
      promptTokens: LARGEST_IMAGE,
    },
  ),
  chat('a document where an image belongs', saying({ type: 'image_url', image_url: { url: WEB } })),
  chat('sound', saying({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'opus' } })),
  chat('a part of a new kind', saying({ type: 'hologram', hologram: { id: 'h-1' } })),
  chat('an answer spoken earlier', {
    messages: [...HI, { role: 'assistant', audio: { id: 'audio-1' } }, ...HI],
  }),
  chat('128 answers', { n: 128 }, { promptTokens: SHORT }),
  chat(
    'a prediction',
    { prediction: { type: 'content', content: 'x'.repeat(20_000) } },
    { promptTokens: 20_000 },
  ),
  chat('the tier priority', { service_tier: 'priority' }, { promptTokens: SHORT }),
  chat('a tier without a price', { service_tier: 'ultra' }, { refused: true }),
  chat('a tool without a price', { tools: [{ type: 'teleport' }] }, { refused: true }),
  openChat('no cap', {}, { promptTokens: SHORT }),
  openChat('caps that are null', { max_tokens: null, max_completion_tokens: null }, { promptTokens: SHORT }),
  openChat(
    'two caps',
    { max_tokens: 10, max_completion_tokens: 8_000 },
    { promptTokens: SHORT, refused: true },
  ),
  alike('no cap', {}, { promptTokens: SHORT }),
  alike('a null cap', { max_tokens: null }, { promptTokens: SHORT }),
  alike('best_of', { best_of: 100, max_tokens: 50 }, { promptTokens: SHORT }),
  plain('searching the web', { web_search_options: {} }, { refused: true }),
  plain('a tier', { service_tier: 'priority' }, { refused: true }),
  qwen('thoughts beside the cap', { enable_thinking: true }, { promptTokens: SHORT }),
  qwen('an effort', { reasoning_effort: 'high' }, { promptTokens: SHORT }),
  qwen('a budget for thoughts', { enable_thinking: true, thinking_budget: 30_000 }, { promptTokens: SHORT }),
];

const COMPLETIONS: readonly OverdrawCase[] = [
  completion('no cap', {}, { promptTokens: 2 }),
  completion('a null cap', { max_tokens: null }, { promptTokens: 2 }),
  completion('best_of', { best_of: 128, n: 1, max_tokens: 64 }, { promptTokens: 2 }),
  completion(
    'many prompts',
    { prompt: Array.from({ length: 200 }, () => 'a'), max_tokens: 64 },
    { promptTokens: 200 },
  ),
];

const RESPONSES: readonly OverdrawCase[] = [
  response('a document by URL', giving({ type: 'input_file', file_url: WEB })),
  response('a file by its id', giving({ type: 'input_file', file_id: 'file-1' })),
  response('an image by its id', giving({ type: 'input_image', file_id: 'file-1' }), {
    promptTokens: LARGEST_IMAGE,
  }),
  // One that the gateway keeps is sent whole, and held for as such.
  response(
    'an item that nobody has kept',
    { input: [{ type: 'item_reference', id: 'msg_of_nobody' }] },
    { refused: true },
  ),
  response('a response that nobody has kept', { previous_response_id: 'resp_of_nobody' }, { refused: true }),
  response('a stored prompt', { prompt: { id: 'pmpt_1' } }, { refused: true }),
  response(
    'compaction',
    { context_management: [{ type: 'compaction', compact_threshold: 1_000 }] },
    { promptTokens: SHORT },
  ),
  response('searching the web', { tools: [{ type: 'web_search' }] }, { promptTokens: SHORT }),
  response(
    'searching twice',
    { tools: [{ type: 'web_search' }], max_tool_calls: 2 },
    { promptTokens: SHORT },
  ),
  response(
    'searching files',
    { tools: [{ type: 'file_search', vector_store_ids: ['vs_1'] }] },
    { promptTokens: SHORT },
  ),
  response(
    'running code',
    { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] },
    { promptTokens: SHORT },
  ),
  response(
    'a server of tools',
    { tools: [{ type: 'mcp', server_label: 'a', server_url: 'https://a.example' }] },
    { promptTokens: SHORT },
  ),
  response(
    'a compaction by a trigger',
    { input: [{ role: 'user', content: 'hi' }, { type: 'compaction_trigger' }] },
    { promptTokens: SHORT },
  ),
  response('drawing', { tools: [{ type: 'image_generation' }] }, { refused: true }),
  response('the tier priority', { service_tier: 'priority' }, { promptTokens: SHORT }),
  response('a null cap', { max_output_tokens: null }, { promptTokens: SHORT }),
];

const COMPACTIONS: readonly OverdrawCase[] = [
  compaction('a text', {}, { promptTokens: SHORT }),
  compaction('a document by URL', giving({ type: 'input_file', file_url: WEB })),
  compaction('the tier priority', { service_tier: 'priority' }, { promptTokens: SHORT, fullSizeOnly: true }),
  compaction('a stored prompt', { prompt: { id: 'pmpt_1' } }, { refused: true, fullSizeOnly: true }),
  summary('a text', {}, { promptTokens: SHORT }),
  summary('an image by URL', giving({ type: 'input_image', image_url: IMAGE_URL }), {
    promptTokens: LARGEST_CLAUDE_IMAGE,
    fullSizeOnly: true,
  }),
];

const MESSAGES: readonly OverdrawCase[] = [
  message('a document by URL', saying({ type: 'document', source: { type: 'url', url: WEB } })),
  message('a file by its id', saying({ type: 'document', source: { type: 'file', file_id: 'file_1' } }), {
    headers: { 'anthropic-beta': 'files-api-2025-04-14' },
  }),
  message('an image by URL', saying({ type: 'image', source: { type: 'url', url: IMAGE_URL } }), {
    promptTokens: LARGEST_CLAUDE_IMAGE,
  }),
  message(
    'searching the web',
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    { promptTokens: SHORT },
  ),
  message(
    'searching once',
    { tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }] },
    { promptTokens: SHORT },
  ),
  message(
    'fetching',
    { tools: [{ type: 'web_fetch_20250910', name: 'web_fetch' }] },
    { promptTokens: SHORT },
  ),
  message(
    'compaction',
    { context_management: { edits: [{ type: 'compact_20260112' }] } },
    { promptTokens: SHORT },
  ),
  message('a faster answer', { speed: 'fast' }, { refused: true }),
];

const GEMINI: readonly OverdrawCase[] = [
  gemini('a file by its address', showing({ fileData: { mimeType: 'application/pdf', fileUri: WEB } })),
  gemini(
    'a film by its address',
    showing({ fileData: { mimeType: 'image/png', fileUri: 'https://youtu.be/abc' } }),
  ),
  gemini('a film inline', showing({ inlineData: { mimeType: 'video/mp4', data: 'AAAA' } })),
  gemini('an image inline', showing({ inlineData: { mimeType: 'image/png', data: DOT } }), {
    promptTokens: LARGEST_IMAGE,
  }),
  gemini('cached content', { cachedContent: 'cachedContents/1' }, { refused: true }),
  gemini('searching', { tools: [{ googleSearch: {} }] }, { promptTokens: SHORT }),
  gemini('reading addresses', { tools: [{ urlContext: {} }] }, { promptTokens: SHORT }),
  gemini('running code', { tools: [{ codeExecution: {} }] }, { promptTokens: SHORT }),
  gemini(
    '8 answers',
    { generationConfig: { maxOutputTokens: 50, candidateCount: 8 } },
    { promptTokens: SHORT },
  ),
  gemini('no cap', { generationConfig: {} }, { promptTokens: SHORT }),
];

const chatByClaude = ask('anthropic', '/v1/chat/completions', (model) => ({
  model,
  messages: HI,
  max_tokens: 50,
}));
const responseByClaude = ask('anthropic', '/v1/responses', (model) => ({
  model,
  input: 'hi',
  max_output_tokens: 50,
}));
const openMessage = ask('compatible', '/v1/messages', (model) => ({
  model,
  messages: HI,
  max_tokens: 50,
}));
const messageByGemini = ask('gemini', '/v1/messages', (model) => ({ model, messages: HI, max_tokens: 50 }));
const openResponse = ask('compatible', '/v1/responses', (model) => ({ model, input: 'hi' }));
const geminiByOpenAi = ask('openai', '/v1beta/models/{model}:generateContent', () => ({
  contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
}));
const DOT_URL = `data:image/png;base64,${DOT}`;

/** The same over channels that speak another protocol than the client. */
const CONVERTED: readonly OverdrawCase[] = [
  chatByClaude('a document inline', saying({ type: 'file', file: { filename: 'a.pdf', file_data: PDF } })),
  chatByClaude('an image by URL', saying({ type: 'image_url', image_url: { url: IMAGE_URL } }), {
    promptTokens: LARGEST_CLAUDE_IMAGE,
  }),
  chatByClaude('no cap', { max_tokens: null }, { promptTokens: SHORT }),
  responseByClaude('searching the web', { tools: [{ type: 'web_search' }] }, { promptTokens: SHORT }),
  responseByClaude('a document by URL', giving({ type: 'input_file', file_url: WEB })),
  openMessage(
    'an image inline',
    saying({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: DOT } }),
    { promptTokens: LARGEST_IMAGE },
  ),
  messageByGemini(
    'searching the web',
    { tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
    { promptTokens: SHORT },
  ),
  openResponse('an image inline and no cap', giving({ type: 'input_image', image_url: DOT_URL }), {
    promptTokens: LARGEST_IMAGE,
  }),
  geminiByOpenAi('no cap', {}, { promptTokens: SHORT }),
  geminiByOpenAi('8 answers', { generationConfig: { candidateCount: 8 } }, { promptTokens: SHORT }),
];

/** Tricks of everything that is priced by the tokens of a prompt and an answer. */
export const CHAT_CASES: readonly OverdrawCase[] = [
  ...CHATS,
  ...COMPLETIONS,
  ...RESPONSES,
  ...COMPACTIONS,
  ...MESSAGES,
  ...GEMINI,
  ...CONVERTED,
];
