/** What hearing and speaking cost, in USD; the odd figures make every line round. */
export const MINUTE_PRICE = { per_minute: '0.006000001' } as const;
export const TRANSCRIPTION_PRICE = {
  input_per_million: '2.5',
  audio_input_per_million: '6.000000001',
  output_per_million: '10',
} as const;
export const CHARACTER_PRICE = { per_million_characters: '15.000000001' } as const;

/** Slug and price of each model, and its name at the fake upstream, which reports tokens for the gpt family only. */
const MODELS = [
  { slug: 'hear-whisper', upstream: 'whisper-1', kind: 'transcription', price: MINUTE_PRICE },
  { slug: 'hear-gpt', upstream: 'gpt-4o-transcribe', kind: 'transcription', price: TRANSCRIPTION_PRICE },
  { slug: 'hear-failing', upstream: 'error-500', kind: 'transcription', price: MINUTE_PRICE },
  { slug: 'say', upstream: 'tts-1', kind: 'speech', price: CHARACTER_PRICE },
] as const;
const PATIENCE = { connect: '10s', first_byte: '90s', idle: '90s', total: '120s' } as const;
/** Transcribed by the second channel, for the first one fails. */
const SECOND_MODEL = { slug: 'hear-second', kind: 'transcription', price: MINUTE_PRICE } as const;
/** Transcribed by a channel that may take its time. */
const SLOW_MODEL = { slug: 'hear-slowly', kind: 'transcription', price: MINUTE_PRICE } as const;
const GEMINI_MODEL = { slug: 'hear-gemini', kind: 'transcription', price: TRANSCRIPTION_PRICE } as const;

export function listAudioChannels(upstreamUrl: string, channel: object): object[] {
  return [
    {
      ...channel,
      name: 'sounds-openai',
      priority: 10,
      type: 'openai-compatible',
      base_url: `${upstreamUrl}/v1`,
      models: {
        ...Object.fromEntries(MODELS.map(({ slug, upstream }) => [slug, upstream])),
        [SECOND_MODEL.slug]: 'error-500',
      },
    },
    {
      ...channel,
      name: 'sounds-slow',
      type: 'openai-compatible',
      base_url: `${upstreamUrl}/v1`,
      models: { [SLOW_MODEL.slug]: 'whisper-slow' },
      timeout: PATIENCE,
    },
    {
      ...channel,
      name: 'sounds-second',
      timeout: PATIENCE,
      type: 'openai-compatible',
      base_url: `${upstreamUrl}/v1`,
      models: { [SECOND_MODEL.slug]: 'whisper-1' },
    },
    {
      ...channel,
      name: 'sounds-gemini',
      type: 'gemini',
      base_url: `${upstreamUrl}/v1beta`,
      models: { [GEMINI_MODEL.slug]: 'gemini-3.5-flash--plain' },
    },
  ];
}

export function listAudioModels(): object[] {
  return [...MODELS, SECOND_MODEL, SLOW_MODEL, GEMINI_MODEL].map(({ slug, kind, price }) => ({
    slug,
    kind,
    price,
  }));
}
