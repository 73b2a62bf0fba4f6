import { omitUndefined } from '@mg/contract';
import type { Json } from '@mg/testkit';
import type { ModelName, OverdrawCase } from './overdraw-case.js';

const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
/** Tokens of an image to work on. */
const LARGEST_INPUT = 8_000;
const WAV_BYTES_PER_SECOND = 8_000;
const SECONDS = 20;
/** Tokens that a model of embeddings reads of one content at most. */
const LONGEST_CONTENT = 8_192;

function ask(
  model: ModelName,
  path: string,
  facts: Json,
): (name: string, extra: Json, more?: Partial<OverdrawCase>) => OverdrawCase {
  return (name, extra, more = {}) => ({
    name: `${path.replace('/{model}', '')}: ${name}`,
    model,
    path,
    write: (slug) => ({
      ...omitUndefined({ model: path.includes('{model}') ? undefined : slug }),
      ...facts,
      ...extra,
    }),
    ...more,
  });
}

const embed = ask('embed', '/v1/embeddings', {});
const embedContent = ask('embed-gemini', '/v1beta/models/{model}:embedContent', {});
const embedBatch = ask('embed-gemini', '/v1beta/models/{model}:batchEmbedContents', {});
const paint = ask('paint', '/v1/images/generations', { prompt: 'a fox' });
const draw = ask('draw', '/v1/images/generations', { prompt: 'a fox' });
const edit = ask('paint', '/v1/images/edits', { prompt: 'a fox' });
const vary = (name: string, fields: Readonly<Record<string, string>>): OverdrawCase => ({
  name: `/v1/images/variations: ${name}`,
  model: 'vary',
  path: '/v1/images/variations',
  write: (model) => writeForm({ model, ...fields }, ['image']),
});
const editForm = (name: string, fields: Readonly<Record<string, string>>, images = 1): OverdrawCase => ({
  name: `/v1/images/edits: ${name}`,
  model: 'paint',
  path: '/v1/images/edits',
  write: (model) =>
    writeForm(
      { model, prompt: 'a fox', ...fields },
      Array.from({ length: images }, () => 'image[]'),
    ),
  promptTokens: images * LARGEST_INPUT,
});
const keep = (name: string, extra: Json, more: Partial<OverdrawCase> = {}): OverdrawCase => ({
  name: `/v1beta/cachedContents: ${name}`,
  model: 'gemini',
  path: '/v1beta/cachedContents',
  write: (slug) => ({ model: `models/${slug}`, ...filed, ...extra }),
  ...more,
});
const say = ask('say', '/v1/audio/speech', { voice: 'alloy' });
const moderate = ask('moderate', '/v1/moderations', {});
const rank = ask('rank', '/v1/rerank', { query: 'q' });
const film = ask('film', '/videonative/api/v3/contents/generations/tasks', {});
const generic = ask('film-generic', '/v1/videos', { prompt: 'a fox' });
const order = ask('film-generic', '/v1/video/generations', { prompt: 'a fox' });

const media = (mimeType: string) => ({ inlineData: { mimeType, data: DOT.toString('base64') } });
const filming = (text: string, ...others: Json[]) => ({ content: [{ type: 'text', text }, ...others] });

const filed = {
  contents: [
    {
      role: 'user',
      parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'https://example.com/a.mp4' } }],
    },
  ],
};

/** Tricks of calls that are asked once, and of films. */
export const OTHER_CASES: readonly OverdrawCase[] = [
  embed('text of rare letters', { input: '\u{1D54F}'.repeat(2_000) }, { promptTokens: 8_000 }),
  embed('lists of token ids', { input: [Array.from({ length: 4_000 }, () => 1)] }, { promptTokens: 4_000 }),
  embedContent('a film', { content: { parts: [media('video/mp4')] } }, { promptTokens: LONGEST_CONTENT }),
  embedContent('an image', { content: { parts: [media('image/png')] } }, { promptTokens: LONGEST_CONTENT }),
  embedContent(
    'a file by its address',
    { content: { parts: [{ fileData: { mimeType: 'video/mp4', fileUri: 'gs://a/b' } }] } },
    {
      promptTokens: LONGEST_CONTENT,
    },
  ),
  embedBatch(
    'two films',
    { requests: [1, 2].map(() => ({ content: { parts: [media('video/mp4')] } })) },
    {
      promptTokens: 2 * LONGEST_CONTENT,
    },
  ),
  paint('two images of high quality', { n: 2, quality: 'high', size: '1536x1024' }),
  paint('size and quality left to the provider', { n: 2, quality: 'auto', size: 'auto' }),
  draw('quality and size left out', { n: 2 }),
  draw('quality auto, size auto', { quality: 'auto', size: 'auto' }),
  draw('quality low, size auto', { quality: 'low', size: 'auto' }),
  draw('quality hd, size auto', { quality: 'hd', size: 'auto' }),
  draw('quality auto at a size', { quality: 'auto', size: '1024x1792' }),
  edit(
    'images by URL',
    { images: [{ image_url: 'https://example.com/a.png' }, { file_id: 'file-1' }] },
    {
      promptTokens: 2 * LARGEST_INPUT,
    },
  ),
  {
    name: '/v1/images/edits: images of a form',
    model: 'paint',
    path: '/v1/images/edits',
    write: (model) => writeForm({ model, prompt: 'a fox', quality: 'auto' }, ['image[]', 'image[]', 'mask']),
    promptTokens: 3 * LARGEST_INPUT,
  },
  editForm('two large images of a form', { n: '2', quality: 'high', size: '1536x1024' }),
  { ...editForm('previews of a form', { stream: 'true', partial_images: '3' }), fullSizeOnly: true },
  { ...editForm('many images of a form', { input_fidelity: 'high' }, 4), fullSizeOnly: true },
  vary('two', { n: '2' }),
  { ...vary('a size', { size: '1024x1792' }), fullSizeOnly: true },
  keep('a film by its address', {}),
  keep('for ten hours', { ttl: '36000s' }, { refused: true }),
  keep(
    'until the year after next',
    { expireTime: '2028-01-01T00:00:00Z' },
    { refused: true, fullSizeOnly: true },
  ),
  keep(
    'ends in either spelling',
    { ttl: '60s', expire_time: '2028-01-01T00:00:00Z' },
    { refused: true, fullSizeOnly: true },
  ),
  {
    name: '/v1/audio/transcriptions: a long recording',
    model: 'hear',
    path: '/v1/audio/transcriptions',
    write: (model) => writeRecording(model, WAV_BYTES_PER_SECOND),
    promptTokens: SECONDS,
  },
  {
    name: '/v1/audio/transcriptions: a head that says more bytes a second than there are',
    model: 'hear',
    path: '/v1/audio/transcriptions',
    write: (model) => writeRecording(model, WAV_BYTES_PER_SECOND * 100),
    promptTokens: SECONDS,
  },
  {
    name: '/v1/audio/translations: a long recording',
    model: 'hear',
    path: '/v1/audio/translations',
    write: (model) => writeRecording(model, WAV_BYTES_PER_SECOND),
    promptTokens: SECONDS,
  },
  say('the longest text', { input: 'é'.repeat(4_096) }),
  moderate('images', { input: [{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }] }),
  rank('many documents', { documents: Array.from({ length: 900 }, () => 'd') }),
  film('length and resolution in the text', filming('a fox --dur 12 --rs 1080p')),
  film('length in the text and in a field', { ...filming('a fox --dur 12'), duration: 5 }, { refused: true }),
  film('length twice in the text', filming('a fox --dur 5 --dur 12'), { refused: true }),
  film('length and resolution left out', filming('a fox')),
  film('length left to the provider', { ...filming('a fox'), duration: -1 }, { refused: true }),
  film(
    'a source video',
    filming('a fox', {
      type: 'video_url',
      video_url: { url: 'https://example.com/a.mp4' },
      role: 'reference_video',
    }),
  ),
  generic('a large size', { seconds: '12', size: '1920x1080' }),
  generic('length left out', {}),
  order('a large size', { seconds: 12, size: '1920x1080' }),
  order('length left out', {}, { refused: true }),
];

function writeForm(fields: Readonly<Record<string, string>>, names: readonly string[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const name of names) form.append(name, new Blob([DOT], { type: 'image/png' }), 'a.png');
  return form;
}

/** Silence of 8 kHz and 8 bits. @param bytesPerSecond as the header says, which players do not read. */
function writeRecording(model: string, bytesPerSecond: number): FormData {
  const size = SECONDS * WAV_BYTES_PER_SECOND;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(WAV_BYTES_PER_SECOND, 24);
  head.writeUInt32LE(bytesPerSecond, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  const form = new FormData();
  form.append('model', model);
  form.append('file', new Blob([head, Buffer.alloc(size, 128)], { type: 'audio/wav' }), 'a.wav');
  return form;
}
