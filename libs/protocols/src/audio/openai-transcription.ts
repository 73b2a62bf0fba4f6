import { isPlausible, NO_USAGE, toCount, type Usage } from '@mg/contract';
import { throwUpstreamError } from '../canonical/refuse.js';
import type { ChannelFormat, ClientFormat } from '../exchange/create-exchange.js';
import type { FormPart } from '../exchange/exchange.js';
import { answerJson, answerPieces } from '../exchange/write-json.js';
import { writeForm } from '../exchange/write-form.js';
import { StreamTap, containsAny } from '../framing/stream-tap.js';
import { isObject, type JsonObject } from '../json.js';
import { parseOpenAiError } from '../openai-chat/errors.js';
import { limitTranscript, type TranscriptionReply, type TranscriptionRequest } from './transcription.js';

const DONE = 'transcript.text.done';
/** Formats that are texts of their own and no JSON. */
const PLAIN: ReadonlySet<string> = new Set(['text', 'srt', 'vtt']);

/** OpenAI's transcriptions towards clients. */
export const openAiTranscriptionClient: ClientFormat<TranscriptionRequest, TranscriptionReply> = {
  protocol: 'openai-transcriptions',
  encodeReply: ({ text, usage }, { format, stream }) => {
    const reported = usage ? { usage: writeUsage(usage) } : {};
    if (stream) {
      const events = [
        { type: 'transcript.text.delta', delta: text },
        { type: DONE, text, ...reported },
      ];
      const pieces = events.flatMap((event) => [`event: ${event.type}\ndata: `, event, '\n\n']);
      return answerPieces('text/event-stream; charset=utf-8', pieces);
    }
    if (format === 'text')
      return { contentType: 'text/plain; charset=utf-8', bytes: Buffer.from(`${text}\n`) };
    return answerJson({ text, ...reported });
  },
  // A model that ignores the wish for a stream answers as a whole, and the client waits for events.
  fits: ({ contentType }, { stream }) => !stream || contentType.includes('text/event-stream'),
};

/** OpenAI's transcriptions towards channels: OpenAI itself and those who look like it. */
export const openAiTranscriptionChannel: ChannelFormat<TranscriptionRequest, TranscriptionReply> = {
  encodeRequest: (request, { model }) => [writeForm(listParts(request, model))],
  decodeReply: ([answer], { format, recording }) => {
    if (!answer) return throwUpstreamError('The upstream gave no answer.');
    const text = PLAIN.has(format) ? limitTranscript(answer.bytes).toString('utf8') : answer.parsed?.text;
    if (typeof text !== 'string') return throwUpstreamError('The upstream answered without a transcript.');
    return { text: limitTranscript(text), usage: readTranscriptionUsage(answer.parsed, recording.seconds) };
  },
  createTap: ({ recording }) =>
    new StreamTap({
      mayMatter: containsAny(DONE, '"error"'),
      readUsage: (event) =>
        event.type === DONE ? readTranscriptionUsage(event, recording.seconds) : undefined,
      readFault: (event) => (isObject(event.error) || event.type === 'error' ? event : undefined),
      isEnd: (event) => event.type === DONE,
      isLast: (_data, event) => event?.type === DONE,
      listTexts: ({ delta }) => [typeof delta === 'string' ? delta : ''],
    }),
  parseUpstreamError: parseOpenAiError,
};

function listParts(request: TranscriptionRequest, model: string): FormPart[] {
  const { recording, language, prompt, temperature, format } = request;
  const { bytes, filename, contentType } = recording;
  const fields = { model, response_format: format, language, prompt, temperature };
  return [
    { name: 'file', filename, contentType, bytes },
    ...Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, bytes: Buffer.from(String(value)) }],
    ),
  ];
}

/**
 * Usage by tokens or by seconds, whichever the answer reports; with the other of the two as the gateway knows it.
 *
 * @param measured seconds of the recording as the gateway measured them.
 */
function readTranscriptionUsage(answer: JsonObject | undefined, measured: number): Usage | undefined {
  const usage = isObject(answer?.usage) ? answer.usage : {};
  const seconds = toCount(usage.seconds ?? answer?.duration) || measured;
  const inputTokens = toCount(usage.input_tokens ?? usage.prompt_tokens);
  const outputTokens = toCount(usage.output_tokens ?? usage.completion_tokens);
  if (inputTokens + outputTokens > 0 && isPlausible(usage.input_tokens)) {
    const details = isObject(usage.input_token_details) ? usage.input_token_details : {};
    const audioInputTokens = toCount(details.audio_tokens);
    return { ...NO_USAGE, seconds, inputTokens, audioInputTokens, outputTokens };
  }
  const reported = usage.seconds ?? answer?.duration;
  return toCount(reported) > 0 && isPlausible(reported) ? { ...NO_USAGE, seconds } : undefined;
}

function writeUsage(usage: Usage): JsonObject {
  const { inputTokens, outputTokens, audioInputTokens = 0, seconds } = usage;
  if (inputTokens + outputTokens === 0) return { type: 'duration', seconds };
  return {
    type: 'tokens',
    input_tokens: inputTokens,
    input_token_details: { audio_tokens: audioInputTokens, text_tokens: inputTokens - audioInputTokens },
    output_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}
