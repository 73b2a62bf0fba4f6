import type { Json } from '../json.js';
import { countTextTokens } from '../tokens.js';
import type { ExchangeAnswer } from './texts.js';

const TEXT = 'The river runs past the old mill.';
const SUBTITLES = `1\n00:00:00,000 --> 00:00:02,000\n${TEXT}\n\n`;
/** Seconds of audio that the fake reports, and their tokens. */
const TRANSCRIPT = { seconds: 2, audioTokens: 40, textTokens: 9 } as const;

/** The fake's answer at a path of audio; `undefined` for any other path. Models of the gpt family report tokens, others seconds. */
export function findAudioAnswerer(path: string): ((body: Json) => ExchangeAnswer) | undefined {
  if (path.endsWith('/audio/speech')) return answerSpeech;
  if (path.endsWith('/audio/transcriptions') || path.endsWith('/audio/translations'))
    return answerTranscription;
  return undefined;
}

function answerTranscription(form: Json): ExchangeAnswer {
  const byTokens = String(form['model']).includes('gpt');
  const usage = byTokens
    ? {
        type: 'tokens',
        input_tokens: TRANSCRIPT.audioTokens,
        input_token_details: { audio_tokens: TRANSCRIPT.audioTokens, text_tokens: 0 },
        output_tokens: TRANSCRIPT.textTokens,
        total_tokens: TRANSCRIPT.audioTokens + TRANSCRIPT.textTokens,
      }
    : { type: 'duration', seconds: TRANSCRIPT.seconds };
  const billed = byTokens
    ? { promptTokens: TRANSCRIPT.audioTokens, completionTokens: TRANSCRIPT.textTokens }
    : {};
  if (form['stream'] === 'true' && byTokens) return { ...stream(usage), billed };
  const format = form['response_format'] ?? 'json';
  if (format === 'text') return { status: 200, text: `${TEXT}\n`, contentType: 'text/plain', billed };
  if (format === 'srt') return { status: 200, text: SUBTITLES, contentType: 'text/plain', billed };
  const times = { task: 'transcribe', duration: TRANSCRIPT.seconds, segments: [] };
  const spoken = { text: TEXT, usage };
  return { status: 200, body: format === 'verbose_json' ? { ...spoken, ...times } : spoken, billed };
}

function stream(usage: unknown) {
  const events = [
    ...TEXT.split(' ').map((word, index) => ({
      type: 'transcript.text.delta',
      delta: index === 0 ? word : ` ${word}`,
    })),
    { type: 'transcript.text.done', text: TEXT, usage },
  ];
  const text = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
  return { status: 200, text, contentType: 'text/event-stream' };
}

function answerSpeech({ input }: Json): ExchangeAnswer {
  const tokens = countTextTokens(String(input));
  return {
    status: 200,
    text: `ID3-${String(input)}`,
    contentType: 'audio/mpeg',
    billed: { promptTokens: tokens },
  };
}
