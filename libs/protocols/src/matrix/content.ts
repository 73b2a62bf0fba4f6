import type { JsonObject } from '../json.js';
import { refused, type RequestRow, warned } from './row.js';

const PNG = 'iVBORw0KGgo=';
const PDF = 'JVBERi0xLjQ=';
const TEXT = 'Zm9v';
const ADDRESS = 'https://example.com/a.png';
const MARKS = ['cache_control', 'prompt_cache_breakpoint'];
const PAPER = 'https://example.com/a.pdf';

const chat = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content }] });
const responses = (...content: JsonObject[]) => ({ input: [{ role: 'user', content }] });
const messages = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content }] });
const gemini = (...parts: JsonObject[]) => ({ contents: [{ role: 'user', parts }] });
const converse = (...content: JsonObject[]) => ({ messages: [{ role: 'user', content }] });

const chatImage = (url: string, extra: JsonObject = {}) =>
  chat({ type: 'image_url', image_url: { url, ...extra } });
const responsesImage = (url: string, extra: JsonObject = {}) =>
  responses({ type: 'input_image', image_url: url, ...extra });
const claudeImage = (source: JsonObject) => messages({ type: 'image', source });
const bytes = (mediaType: string, data: string) => ({ type: 'base64', media_type: mediaType, data });

/** What users say: text and media. */
export const CONTENT: readonly RequestRow[] = [
  {
    concept: 'several pieces of text in their order',
    said: {
      chat: chat({ type: 'text', text: 'a' }, { type: 'text', text: 'b' }),
      responses: responses({ type: 'input_text', text: 'a' }, { type: 'input_text', text: 'b' }),
      messages: messages({ type: 'text', text: 'a' }, { type: 'text', text: 'b' }),
      gemini: gemini({ text: 'a' }, { text: 'b' }),
      converse: converse({ text: 'a' }, { text: 'b' }),
    },
    to: { completions: { prompt: 'a\n\nb' } },
  },
  {
    concept: 'text without anything in it is left out',
    from: {
      chat: chat({ type: 'text', text: '' }, { type: 'text', text: 'b' }),
      responses: responses({ type: 'input_text', text: '' }, { type: 'input_text', text: 'b' }),
      messages: messages({ type: 'text', text: '' }, { type: 'text', text: 'b' }),
      gemini: gemini({ text: '' }, { text: 'b' }),
    },
    to: {
      chat: { messages: [{ content: 'b' }] },
      responses: responses({ type: 'input_text', text: 'b' }),
      completions: { prompt: 'b' },
      messages: { messages: [{ content: 'b' }] },
      gemini: gemini({ text: 'b' }),
      converse: converse({ text: 'b' }),
    },
  },
  {
    concept: 'an image as bytes',
    said: {
      chat: chatImage(`data:image/png;base64,${PNG}`),
      responses: responsesImage(`data:image/png;base64,${PNG}`),
      messages: claudeImage(bytes('image/png', PNG)),
      gemini: gemini({ inlineData: { mimeType: 'image/png', data: PNG } }),
      converse: converse({ image: { format: 'png', source: { bytes: PNG } } }),
    },
  },
  {
    concept: 'an image whose type is misspelled, or whose address has parameters',
    from: {
      chat: chatImage(`data:image/jpg;name=a.jpg;base64,${PNG}`),
      responses: responsesImage(`data:image/jpg;base64,${PNG}`),
      messages: claudeImage(bytes('image/jpg', PNG)),
      gemini: gemini({ inlineData: { mimeType: 'image/jpg', data: PNG } }),
    },
    to: {
      chat: chatImage(`data:image/jpeg;base64,${PNG}`),
      responses: responsesImage(`data:image/jpeg;base64,${PNG}`),
      messages: claudeImage(bytes('image/jpeg', PNG)),
      gemini: gemini({ inlineData: { mimeType: 'image/jpeg', data: PNG } }),
      converse: converse({ image: { format: 'jpeg' } }),
    },
  },
  {
    concept: 'an image of a type that few take',
    from: {
      chat: chatImage(`data:image/bmp;base64,${PNG}`),
      responses: responsesImage(`data:image/bmp;base64,${PNG}`),
      gemini: gemini({ inlineData: { mimeType: 'image/bmp', data: PNG } }),
    },
    to: {
      chat: chatImage(`data:image/bmp;base64,${PNG}`),
      responses: responsesImage(`data:image/bmp;base64,${PNG}`),
      messages: refused(),
      gemini: gemini({ inlineData: { mimeType: 'image/bmp' } }),
      converse: refused(),
    },
  },
  {
    concept: 'an image by its address',
    said: {
      chat: chatImage(ADDRESS),
      responses: responsesImage(ADDRESS),
      messages: claudeImage({ type: 'url', url: ADDRESS }),
      gemini: gemini({ fileData: { fileUri: ADDRESS, mimeType: 'image/png' } }),
    },
    to: { converse: refused() },
  },
  {
    concept: 'an image by an address that is not encrypted',
    from: {
      chat: chatImage('http://example.com/a.png'),
      responses: responsesImage('http://example.com/a.png'),
    },
    to: {
      chat: chatImage('http://example.com/a.png'),
      responses: responsesImage('http://example.com/a.png'),
      messages: refused(),
      gemini: refused(),
      converse: refused(),
    },
  },
  {
    concept: 'how closely to look at an image',
    model: 'gemini-3.5-flash',
    said: {
      chat: chatImage(`data:image/png;base64,${PNG}`, { detail: 'low' }),
      responses: responsesImage(`data:image/png;base64,${PNG}`, { detail: 'low' }),
      gemini: gemini({
        inlineData: { mimeType: 'image/png', data: PNG },
        mediaResolution: { level: 'MEDIA_RESOLUTION_LOW' },
      }),
    },
    to: {
      messages: warned('detail', claudeImage(bytes('image/png', PNG))),
      converse: warned('detail', converse({ image: { format: 'png' } })),
    },
  },
  {
    concept: 'a PDF as bytes',
    said: {
      chat: chat({
        type: 'file',
        file: { filename: 'a.pdf', file_data: `data:application/pdf;base64,${PDF}` },
      }),
      responses: responses({
        type: 'input_file',
        filename: 'a.pdf',
        file_data: `data:application/pdf;base64,${PDF}`,
      }),
      messages: messages({ type: 'document', title: 'a.pdf', source: bytes('application/pdf', PDF) }),
    },
    to: {
      gemini: warned('filename', gemini({ inlineData: { mimeType: 'application/pdf', data: PDF } })),
      converse: converse(
        { document: { format: 'pdf', name: 'a-pdf', source: { bytes: PDF } } },
        { text: 'See the attached document.' },
      ),
    },
  },
  {
    concept: 'a PDF where an image should stand, and one without its type',
    from: {
      chat: chatImage(`data:application/pdf;base64,${PDF}`),
      responses: responses({ type: 'input_file', file_data: PDF }),
      gemini: gemini({ inlineData: { mimeType: 'application/pdf', data: PDF } }),
    },
    to: {
      chat: chat({ type: 'file', file: { filename: 'document.pdf' } }),
      responses: responses({ type: 'input_file', filename: 'document.pdf' }),
      messages: messages({ type: 'document', source: bytes('application/pdf', PDF) }),
      gemini: gemini({ inlineData: { mimeType: 'application/pdf', data: PDF } }),
      converse: converse({ document: { format: 'pdf', name: 'document' } }, {}),
    },
  },
  {
    concept: 'a PDF by its address',
    said: {
      responses: responses({ type: 'input_file', file_url: PAPER }),
      messages: messages({ type: 'document', source: { type: 'url', url: PAPER } }),
      gemini: gemini({ fileData: { fileUri: PAPER, mimeType: 'application/pdf' } }),
    },
    to: { chat: refused(), converse: refused() },
  },
  {
    concept: 'a document of plain text',
    said: {
      messages: messages({
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'foo' },
      }),
      gemini: gemini({ inlineData: { mimeType: 'text/plain', data: TEXT } }),
    },
    from: {
      responses: responses({ type: 'input_file', file_data: `data:text/plain;base64,${TEXT}` }),
    },
    to: {
      chat: { messages: [{ content: 'foo' }] },
      responses: responses({ type: 'input_text', text: 'foo' }),
      completions: { prompt: 'foo' },
      converse: converse({ document: { format: 'txt', source: { bytes: TEXT } } }, {}),
    },
  },
  {
    concept: 'a document of blocks, and a result of a search, are read as text',
    from: {
      messages: messages(
        {
          type: 'document',
          title: 'T',
          source: { type: 'content', content: [{ type: 'text', text: 'foo' }] },
        },
        { type: 'search_result', source: 'S', title: 'R', content: [{ type: 'text', text: 'bar' }] },
      ),
    },
    to: {
      chat: chat({ text: 'T' }, { text: 'foo' }, { text: 'R\nS\nbar' }),
      responses: responses({ text: 'T' }, { text: 'foo' }, { text: 'R\nS\nbar' }),
      completions: { prompt: 'T\n\nfoo\n\nR\nS\nbar' },
      messages: messages({ text: 'T' }, { text: 'foo' }, { type: 'search_result' }),
      gemini: gemini({ text: 'T' }, { text: 'foo' }, { text: 'R\nS\nbar' }),
      converse: converse({ text: 'T' }, { text: 'foo' }, { text: 'R\nS\nbar' }),
    },
  },
  {
    concept: 'a file that was uploaded to OpenAI',
    said: {
      responses: responses({ type: 'input_file', file_id: 'file_1' }),
    },
    from: { chat: chat({ type: 'file', file: { file_id: 'file_1' } }) },
    to: {
      chat: chat({ type: 'file', file: { file_id: 'file_1' } }),
      messages: refused(),
      gemini: refused(),
      converse: refused(),
    },
  },
  {
    concept: 'a file that was uploaded to Anthropic',
    said: { messages: messages({ type: 'document', source: { type: 'file', file_id: 'file_1' } }) },
    to: { chat: refused(), responses: refused(), gemini: refused(), converse: refused() },
  },
  {
    concept: 'a file that was uploaded to Google',
    said: {
      gemini: gemini({ fileData: { fileUri: 'gs://bucket/a.pdf', mimeType: 'application/pdf' } }),
    },
    to: { chat: refused(), responses: refused(), messages: refused(), converse: refused() },
  },
  {
    concept: 'sound',
    said: {
      chat: chat({ type: 'input_audio', input_audio: { data: PNG, format: 'mp3' } }),
      responses: responses({ type: 'input_audio', input_audio: { data: PNG, format: 'mp3' } }),
      gemini: gemini({ inlineData: { mimeType: 'audio/mp3', data: PNG } }),
      converse: converse({ audio: { format: 'mp3', source: { bytes: PNG } } }),
    },
    to: { messages: refused() },
  },
  {
    concept: 'sound in a format that few take',
    said: { gemini: gemini({ inlineData: { mimeType: 'audio/flac', data: PNG } }) },
    to: {
      chat: refused(),
      responses: refused(),
      messages: refused(),
      converse: converse({ audio: { format: 'flac' } }),
    },
  },
  {
    concept: 'a video as bytes',
    said: {
      gemini: gemini({ inlineData: { mimeType: 'video/mp4', data: PNG } }),
      converse: converse({ video: { format: 'mp4', source: { bytes: PNG } } }),
    },
    to: { chat: refused(), responses: refused(), messages: refused() },
  },
  {
    concept: 'marks of what is to be cached, for models that take them',
    traits: { cachePoints: ['messages'] },
    said: {
      messages: messages(
        { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
        { type: 'text', text: 'b' },
      ),
    },
    to: {
      chat: warned('cache_control', chat({ text: 'a' }, { text: 'b' })),
      responses: warned('cache_control', responses({ text: 'a' }, { text: 'b' })),
      completions: warned('cache_control', { prompt: 'a\n\nb' }),
      gemini: warned('cache_control', gemini({ text: 'a' }, { text: 'b' })),
      converse: converse({ text: 'a' }, { cachePoint: { type: 'default' } }, { text: 'b' }),
    },
  },
  {
    concept: 'marks of what is to be cached, in chat, as OpenAI and as OpenRouter have them',
    said: {
      chat: chat(
        { type: 'text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } },
        { type: 'text', text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ),
    },
    to: {
      responses: warned(MARKS, responses({ text: 'a' }, { text: 'b' })),
      completions: warned(MARKS, { prompt: 'a\n\nb' }),
      messages: messages(
        { text: 'a', cache_control: { type: 'ephemeral' } },
        { text: 'b', cache_control: { type: 'ephemeral', ttl: '1h' } },
      ),
      gemini: warned(MARKS, gemini({ text: 'a' }, { text: 'b' })),
      converse: warned(MARKS, converse({ text: 'a' }, { text: 'b' })),
    },
  },
  {
    concept: 'marks of what is to be cached, in Responses',
    said: {
      responses: responses({ type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }),
    },
    to: {
      chat: warned('prompt_cache_breakpoint', { messages: [{ content: 'a' }] }),
      completions: warned('prompt_cache_breakpoint', { prompt: 'a' }),
      messages: messages({ text: 'a', cache_control: { type: 'ephemeral' } }),
      gemini: warned('prompt_cache_breakpoint', gemini({ text: 'a' })),
      converse: warned('prompt_cache_breakpoint', converse({ text: 'a' })),
    },
  },
  {
    concept: 'a prompt that a provider keeps',
    said: { gemini: { cachedContent: 'cachedContents/1' } },
    to: {
      chat: refused('cachedContent'),
      responses: refused('cachedContent'),
      completions: refused('cachedContent'),
      messages: refused('cachedContent'),
      converse: refused('cachedContent'),
    },
  },
  {
    concept: 'an answer in sound',
    said: { chat: { modalities: ['text', 'audio'], audio: { voice: 'alloy', format: 'wav' } } },
    to: {
      responses: refused('modalities'),
      completions: refused('modalities'),
      messages: refused('modalities'),
      gemini: refused('modalities'),
      converse: refused('modalities'),
    },
  },
  {
    concept: 'an answer in images',
    said: { gemini: { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } } },
    to: {
      chat: refused('generationConfig.responseModalities'),
      responses: refused('generationConfig.responseModalities'),
      completions: refused('generationConfig.responseModalities'),
      messages: refused('generationConfig.responseModalities'),
      converse: refused('generationConfig.responseModalities'),
    },
  },
  {
    concept: 'content that only its own protocol knows',
    said: { messages: messages({ type: 'container_upload', file_id: 'file_1' }) },
    to: { chat: refused(), responses: refused(), gemini: refused(), converse: refused() },
  },
];
