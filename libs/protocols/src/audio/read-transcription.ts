import { NO_USAGE, type Usage } from '@mg/contract';
import { refuseField } from '../canonical/refuse.js';
import { createExchange } from '../exchange/create-exchange.js';
import type { Exchange, FormPart } from '../exchange/exchange.js';
import { readPartText } from '../exchange/read-part-text.js';
import { geminiTranscriptionChannel } from './gemini-transcription.js';
import { openAiTranscriptionChannel, openAiTranscriptionClient } from './openai-transcription.js';
import {
  type Recording,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptionRequest,
} from './transcription.js';

/** Tokens that models make of a second of sound and of what is said in it: at most, and on average. */
const MOST_PER_SECOND = { heard: 50, said: 25 } as const;
const USUAL_PER_SECOND = { heard: 17, said: 4 } as const;
/** Tokens around the sound and its transcript. */
const FRAMING_TOKENS = 256;
const KNOWN = new Set(['file', 'model', 'language', 'prompt', 'response_format', 'temperature', 'stream']);

/**
 * A call of `POST /v1/audio/transcriptions` or `/v1/audio/translations`.
 *
 * @param recording the part `file`, measured.
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://platform.openai.com/docs/api-reference/audio/createTranscription
 */
export function readTranscription(
  parts: readonly FormPart[],
  recording: Recording,
  task: TranscriptionRequest['task'],
): Exchange {
  const request = readRequest(parts, recording, task);
  return createExchange({
    operation: task === 'transcribe' ? 'transcription' : 'translation',
    kind: 'transcription',
    model: request.model,
    stream: request.stream,
    bound: countUsage(request, MOST_PER_SECOND, FRAMING_TOKENS),
    priceVariants: [],
    estimate: countUsage(request, USUAL_PER_SECOND, 0),
    promptText: '',
    body: { kind: 'form', parts },
    request,
    client: openAiTranscriptionClient,
    channels: {
      'openai-transcriptions': openAiTranscriptionChannel,
      'gemini-transcriptions': geminiTranscriptionChannel,
    },
  });
}

function readRequest(
  parts: readonly FormPart[],
  recording: Recording,
  task: TranscriptionRequest['task'],
): TranscriptionRequest {
  const text = (name: string) => readPartText(parts, name);
  const format = text('response_format') ?? 'json';
  if (!isFormat(format)) refuseField('response_format', `must be one of ${TRANSCRIPT_FORMATS.join(', ')}`);
  const temperature = readTemperature(text('temperature'));
  return {
    model: text('model') || refuseField('model', 'must be a string'),
    task,
    recording,
    language: text('language') || undefined,
    prompt: text('prompt') || undefined,
    temperature,
    format,
    stream: readFlag(text('stream')),
    rest: [...new Set(parts.map((part) => part.name).filter((name) => !KNOWN.has(name)))],
  };
}

function isFormat(text: string): text is TranscriptFormat {
  return (TRANSCRIPT_FORMATS as readonly string[]).includes(text);
}

function readTemperature(text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined;
  const temperature = Number(text);
  if (temperature >= 0 && temperature <= 1) return temperature;
  return refuseField('temperature', 'must be a number from 0 to 1');
}

function readFlag(text: string | undefined): boolean {
  if (text === undefined || text === '' || text === 'false' || text === '0') return false;
  return text === 'true' || text === '1' || refuseField('stream', 'must be true or false');
}

function countUsage(
  { recording: { seconds }, prompt = '' }: TranscriptionRequest,
  perSecond: { readonly heard: number; readonly said: number },
  framing: number,
): Usage {
  const inputTokens = seconds * perSecond.heard + Buffer.byteLength(prompt) + framing;
  return {
    ...NO_USAGE,
    seconds,
    inputTokens,
    audioInputTokens: inputTokens,
    outputTokens: seconds * perSecond.said + framing,
  };
}
