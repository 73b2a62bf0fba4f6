import { NO_USAGE, type Usage } from '@mg/contract';
import { createExchange } from '../exchange/create-exchange.js';
import type { Exchange, FormPart } from '../exchange/exchange.js';
import { readPartText } from '../exchange/read-part-text.js';
import { geminiTranscriptionChannel } from './gemini-transcription.js';
import { openAiTranscriptionChannel, openAiTranscriptionClient } from './openai-transcription.js';
import { validate } from '../schema/validate.js';
import { transcriptionRequest } from './request-schema.js';
import type { Recording, TranscriptionRequest } from './transcription.js';

/** Tokens that models make of a second of audio and of what is said in it: at most, and on average. */
const MOST_PER_SECOND = { input: 50, output: 25 } as const;
const USUAL_PER_SECOND = { input: 17, output: 4 } as const;
/** Tokens around the audio and its transcript. */
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
    promptTexts: [],
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
  const given = (name: string) => readPartText(parts, name) || undefined;
  const fields = validate(transcriptionRequest, {
    file: recording,
    model: given('model'),
    language: given('language'),
    prompt: given('prompt'),
    response_format: readPartText(parts, 'response_format'),
    temperature: toNumber(given('temperature')),
    stream: toFlag(given('stream')),
  });
  return {
    model: fields.model,
    task,
    recording,
    language: fields.language,
    prompt: fields.prompt,
    temperature: fields.temperature,
    format: fields.response_format ?? 'json',
    stream: fields.stream ?? false,
    rest: [...new Set(parts.map((part) => part.name).filter((name) => !KNOWN.has(name)))],
  };
}

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** What is none stays a text, which the schema refuses. */
function toFlag(text: string | undefined): unknown {
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : text;
}

function countUsage(
  { recording: { seconds }, prompt = '' }: TranscriptionRequest,
  perSecond: { readonly input: number; readonly output: number },
  framing: number,
): Usage {
  const inputTokens = seconds * perSecond.input + Buffer.byteLength(prompt) + framing;
  return {
    ...NO_USAGE,
    seconds,
    inputTokens,
    audioInputTokens: inputTokens,
    outputTokens: seconds * perSecond.output + framing,
  };
}
