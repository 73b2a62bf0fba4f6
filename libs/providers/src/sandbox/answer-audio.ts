import { type JsonObject, splitForm } from '@mg/protocols';
import type { ExchangeSurface, LocalAnswer, LocalReply } from '../descriptor.js';
import { answerJson } from './limits.js';
import { replyBytes, replyWith } from './reply.js';
import { countTokens } from './tokens.js';
import { readWaveSeconds, writeTone } from './wave.js';

/** Bytes of a second of compressed speech, for recordings that are no WAV. */
const USUAL_BYTES_PER_SECOND = 4_000;
const SECONDS_PER_SENTENCE = 4;
const CHARACTERS_PER_SECOND = 15;
const LONGEST_SPEECH_SECONDS = 20;
/** Of a longer recording, each sentence takes longer. */
const MAX_SENTENCES = 1_000;

interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Makes up a transcript: one sentence for every few seconds, with true times. */
const answerTranscription: LocalAnswer = ({ body, contentType = '', path }) => {
  const parts = splitForm(contentType, body);
  const field = (name: string) => parts.find((part) => part.name === name)?.bytes.toString('utf8');
  const recording = parts.find((part) => part.name === 'file')?.bytes ?? Buffer.alloc(0);
  const seconds = readWaveSeconds(recording) ?? Math.max(1, recording.length / USUAL_BYTES_PER_SECOND);
  const segments = makeSegments(seconds);
  const text = segments.map((segment) => segment.text).join(' ');
  const usage = { type: 'duration', seconds: Math.ceil(seconds) };
  if (field('stream') === 'true') return replyEvents(segments, text, usage);
  switch (field('response_format')) {
    case 'text':
      return replyText('text/plain', `${text}\n`);
    case 'srt':
      return replyText('text/plain', writeSubtitles(segments, ','));
    case 'vtt':
      return replyText('text/vtt', `WEBVTT\n\n${writeSubtitles(segments, '.')}`);
    case 'verbose_json': {
      const task = path.includes('translations') ? 'translate' : 'transcribe';
      const numbered = segments.map((segment, id) => ({
        id,
        seek: 0,
        ...segment,
        tokens: [],
        temperature: 0,
      }));
      return replyWith(200, {
        task,
        language: 'english',
        duration: seconds,
        text,
        segments: numbered,
        usage,
      });
    }
    default:
      return replyWith(200, { text, usage });
  }
};

/** A tone as long as the text would take to say, as a WAV file, whatever format was asked for. */
const answerSpeech = answerJson(({ input, stream_format: streamed }) => {
  const text = String(input ?? '');
  const sound = writeTone(Math.min(LONGEST_SPEECH_SECONDS, Math.max(1, text.length / CHARACTERS_PER_SECOND)));
  if (streamed !== 'sse') return replyBytes('audio/wav', sound);
  const usage = { input_tokens: countTokens(text), output_tokens: Math.ceil(text.length * 1.4) };
  return replyBytes(
    'text/event-stream; charset=utf-8',
    writeEvents([
      { type: 'speech.audio.delta', audio: sound.toString('base64') },
      {
        type: 'speech.audio.done',
        usage: { ...usage, total_tokens: usage.input_tokens + usage.output_tokens },
      },
    ]),
  );
});

/** What the sandbox does with audio. */
export const audioExchanges: readonly ExchangeSurface[] = [
  {
    operation: 'transcription',
    protocol: 'openai-transcriptions',
    path: () => '/audio/transcriptions',
    authorize: () => ({}),
    answer: answerTranscription,
  },
  {
    operation: 'translation',
    protocol: 'openai-transcriptions',
    path: () => '/audio/translations',
    authorize: () => ({}),
    answer: answerTranscription,
  },
  {
    operation: 'speech',
    protocol: 'openai-speech',
    path: () => '/audio/speech',
    authorize: () => ({}),
    answer: answerSpeech,
  },
];

function makeSegments(seconds: number): Segment[] {
  const each = Math.max(SECONDS_PER_SENTENCE, seconds / MAX_SENTENCES);
  const count = Math.max(1, Math.ceil(seconds / each));
  return Array.from({ length: count }, (_, index) => ({
    start: index * each,
    end: Math.min(seconds, (index + 1) * each),
    text: `Simulated sentence ${index + 1} of ${count}.`,
  }));
}

function replyEvents(segments: readonly Segment[], text: string, usage: JsonObject): LocalReply {
  const deltas = segments.map((segment, index) => ({
    type: 'transcript.text.delta',
    delta: index === 0 ? segment.text : ` ${segment.text}`,
  }));
  const events = writeEvents([...deltas, { type: 'transcript.text.done', text, usage }]);
  return replyBytes('text/event-stream; charset=utf-8', events);
}

function writeEvents(events: readonly JsonObject[]): Buffer {
  return Buffer.from(
    events.map((event) => `event: ${String(event.type)}\ndata: ${JSON.stringify(event)}\n\n`).join(''),
  );
}

/** @see https://www.w3.org/TR/webvtt1/ - SubRip is the same with numbers and a comma before the milliseconds. */
function writeSubtitles(segments: readonly Segment[], point: ',' | '.'): string {
  return segments
    .map(({ start, end, text }, index) => {
      const number = point === ',' ? `${index + 1}\n` : '';
      return `${number}${writeTime(start, point)} --> ${writeTime(end, point)}\n${text}\n\n`;
    })
    .join('');
}

function writeTime(seconds: number, point: string): string {
  const ms = Math.round(seconds * 1_000);
  const pad = (value: number, digits = 2) => String(Math.floor(value)).padStart(digits, '0');
  return `${pad(ms / 3_600_000)}:${pad((ms / 60_000) % 60)}:${pad((ms / 1_000) % 60)}${point}${pad(ms % 1_000, 3)}`;
}

function replyText(type: string, text: string): LocalReply {
  return replyBytes(`${type}; charset=utf-8`, Buffer.from(text));
}
