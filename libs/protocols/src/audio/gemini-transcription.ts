import { toCount } from '@mg/contract';
import { limitAnswer } from '../canonical/limit-items.js';
import { throwUpstreamError, refuseField } from '../canonical/refuse.js';
import type { ChannelFormat } from '../exchange/create-exchange.js';
import { toBase64Text, writeJsonWithFiles } from '../exchange/write-json.js';
import { parseGeminiError } from '../canonical/google-error.js';
import { countGeminiItems } from '../gemini-generate/count-items.js';
import { readGeminiUsage } from '../gemini-generate/read-usage.js';
import { isObject, type JsonObject } from '../json.js';
import { limitTranscript, type TranscriptionReply, type TranscriptionRequest } from './transcription.js';

/** Largest recording that a request may carry within itself. */
const MAX_INLINE_BYTES = 14 * 1024 * 1024;

/**
 * Transcription by a Gemini model that listens. It reports no times, so formats that need them are refused: times that a
 * model makes up would be worse than none.
 *
 * @see https://ai.google.dev/gemini-api/docs/audio
 */
export const geminiTranscriptionChannel: ChannelFormat<TranscriptionRequest, TranscriptionReply> = {
  encodeRequest: (request, { channelType, dropped }) => {
    const { format, recording, temperature, rest } = request;
    if (format !== 'json' && format !== 'text') {
      refuseField(
        'response_format',
        `"${format}" needs times, which a channel of type ${channelType} cannot report`,
      );
    }
    if (recording.bytes.length > MAX_INLINE_BYTES) {
      refuseField('file', `must be at most ${MAX_INLINE_BYTES} bytes for a channel of type ${channelType}`);
    }
    for (const name of rest) dropped.add(name);
    const data = toBase64Text('', recording.bytes);
    return [
      writeJsonWithFiles({
        contents: [
          {
            role: 'user',
            parts: [{ inlineData: { mimeType: recording.contentType, data } }, { text: instruct(request) }],
          },
        ],
        generationConfig: { temperature: temperature ?? 0 },
      }),
    ];
  },
  decodeReply: ([answer], { recording }) => {
    limitAnswer(countGeminiItems(answer?.parsed ?? {}));
    const candidate = readCandidate(answer?.parsed);
    const usage = readGeminiUsage(answer?.parsed?.usageMetadata);
    return {
      text: limitTranscript(readText(candidate)),
      usage: usage && {
        ...usage,
        seconds: recording.seconds,
        audioInputTokens: readAudioTokens(answer?.parsed?.usageMetadata),
      },
    };
  },
  parseUpstreamError: parseGeminiError,
};

function instruct({ task, language, prompt }: TranscriptionRequest): string {
  return [
    task === 'transcribe' ? 'Transcribe the speech word for word.' : 'Translate the speech into English.',
    'Output only the text, without comments, labels or times. Output nothing when nobody speaks.',
    ...(language === undefined ? [] : [`The language is ${language}.`]),
    ...(prompt === undefined ? [] : [`Names, words and style that may occur: ${prompt}`]),
  ].join('\n');
}

function readCandidate(body: JsonObject | undefined): JsonObject {
  const feedback = isObject(body?.promptFeedback) ? body.promptFeedback.blockReason : undefined;
  if (typeof feedback === 'string') return refuseField('file', `was refused by the provider: ${feedback}`);
  const [candidate] = Array.isArray(body?.candidates) ? (body.candidates as unknown[]) : [];
  if (!isObject(candidate)) return throwUpstreamError('The upstream answered without a transcript.');
  const { finishReason } = candidate;
  if (finishReason === 'STOP' || finishReason === undefined) return candidate;
  if (finishReason === 'MAX_TOKENS') return throwUpstreamError('The upstream broke off the transcript.');
  return refuseField('file', `was refused by the provider: ${String(finishReason)}`);
}

function readText({ content }: JsonObject): string {
  const parts = isObject(content) && Array.isArray(content.parts) ? content.parts : [];
  return parts
    .map((part: unknown) =>
      isObject(part) && part.thought !== true && typeof part.text === 'string' ? part.text : '',
    )
    .join('')
    .trim();
}

function readAudioTokens(usage: unknown): number {
  const details =
    isObject(usage) && Array.isArray(usage.promptTokensDetails) ? usage.promptTokensDetails : [];
  const audio: unknown = details.find((item: unknown) => isObject(item) && item.modality === 'AUDIO');
  return isObject(audio) ? toCount(audio.tokenCount) : 0;
}
