import { omitUndefined } from '@mg/contract';
import { isObject, type Json } from '../json.js';
import { countTextTokens } from '../tokens.js';
import { errorBody } from '../failures.js';
import type { ExchangeAnswer } from './texts.js';

/** One red dot. */
const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const TOKENS_PER_IMAGE = 1_056;
const TOKENS_PER_INPUT = 323;
const CREATED = 1_780_000_000;
/** Room that events of text would not have. */
const HUGE_IMAGE = 'A'.repeat(9 * 1024 * 1024);
const GEMINI_PATH = /\/models\/[^/]*image[^/]*:generateContent$/;

/** The fake's answer at a path of images; `undefined` for any other path. */
export function findImageAnswerer(path: string): ((body: Json) => ExchangeAnswer) | undefined {
  if (path.endsWith('/images/generations')) return (body) => answerOpenAi(body, 'image_generation');
  if (path.endsWith('/images/edits')) return (body) => answerOpenAi(body, 'image_edit');
  if (path.endsWith('/images/variations')) return (body) => answerOpenAi(body, 'image_variation');
  return GEMINI_PATH.test(path) ? answerGemini : undefined;
}

/** GPT Image reports tokens and knows no `response_format`; DALL-E answers addresses unless asked for bytes, one at a time. */
function answerOpenAi(body: Json, event: string): ExchangeAnswer {
  const model = String(body['model']);
  const isGpt = model.includes('gpt-image');
  const count = Number(body['n'] ?? 1);
  const refusal = findRefusal(body, isGpt);
  if (refusal) return refusal;
  if (model.includes('empty')) return { status: 200, body: { created: CREATED, data: [] }, billed: {} };
  const usage = countUsage(body, count);
  const billed = isGpt ? { images: count, ...billTokens(usage) } : { images: count };
  if (String(body['stream']) === 'true') return { ...stream(body, event, usage), billed };
  const wantsBytes = isGpt || body['response_format'] === 'b64_json';
  const data = Array.from({ length: count }, (_, index) =>
    omitUndefined({
      b64_json: wantsBytes ? PNG_BASE64 : undefined,
      url: wantsBytes ? undefined : `https://pictures.example/${index}.png`,
      revised_prompt:
        isGpt || body['prompt'] === undefined ? undefined : `A painting: ${String(body['prompt'])}`,
    }),
  );
  return {
    status: 200,
    body: omitUndefined({ created: CREATED, data, usage: isGpt ? usage : undefined }),
    billed,
  };
}

function findRefusal(body: Json, isGpt: boolean): ExchangeAnswer | undefined {
  const refuse = (message: string, code: string | null) => ({
    status: 400,
    body: errorBody(message, 'image_generation_user_error', code),
    billed: {},
  });
  if (String(body['prompt']).includes('forbidden')) {
    return refuse('Your request was rejected by the safety system.', 'moderation_blocked');
  }
  if (isGpt && body['response_format'] !== undefined) {
    return refuse("Unknown parameter: 'response_format'.", 'unknown_parameter');
  }
  const isOneByOne = String(body['model']).includes('dall-e-3');
  return isOneByOne && Number(body['n'] ?? 1) > 1 ? refuse('You must provide n=1.', null) : undefined;
}

function stream(body: Json, event: string, usage: Usage) {
  const facts = { created_at: CREATED, size: '1024x1024', quality: 'medium', background: 'opaque' };
  const preview = String(body['model']).includes('huge') ? HUGE_IMAGE : PNG_BASE64;
  const events = [
    ...Array.from({ length: Number(body['partial_images'] ?? 0) }, (_, index) => ({
      type: `${event}.partial_image`,
      b64_json: preview,
      partial_image_index: index,
      ...facts,
    })),
    { type: `${event}.completed`, b64_json: PNG_BASE64, ...facts, usage },
  ];
  const text = events.map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`).join('');
  return { status: 200, text, contentType: 'text/event-stream' };
}

interface Usage {
  readonly input_tokens: number;
  readonly input_tokens_details: { readonly text_tokens: number; readonly image_tokens: number };
  readonly output_tokens: number;
  readonly total_tokens: number;
}

function countUsage(body: Json, count: number): Usage {
  const text = countTextTokens(String(body['prompt']));
  const image = countInputs(body) * TOKENS_PER_INPUT;
  const output = count * TOKENS_PER_IMAGE;
  return {
    input_tokens: text + image,
    input_tokens_details: { text_tokens: text, image_tokens: image },
    output_tokens: output,
    total_tokens: text + image + output,
  };
}

function billTokens(usage: Usage) {
  return {
    promptTokens: usage.input_tokens,
    imageTokens: usage.input_tokens_details.image_tokens,
    completionTokens: usage.output_tokens,
  };
}

/** Images of a form under either of its names, or references in JSON. */
function countInputs(body: Json): number {
  const lists = [body['image'], body['image[]'], body['images'], body['mask']];
  return lists.flatMap((value) => (value === undefined ? [] : value)).length;
}

function answerGemini({ contents }: Json): ExchangeAnswer {
  const prompt = JSON.stringify(contents);
  if (prompt.includes('forbidden')) {
    return { status: 200, body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } }, billed: {} };
  }
  if (prompt.includes('unsafe')) {
    const finishMessage = 'Unable to show the generated image.';
    const candidates = [{ content: { parts: [] }, finishReason: 'IMAGE_SAFETY', finishMessage }];
    return { status: 200, body: { candidates }, billed: {} };
  }
  const [turn] = Array.isArray(contents) ? contents : [];
  const inputs = isObject(turn) && Array.isArray(turn['parts']) ? turn['parts'].length - 1 : 0;
  const promptTokens = 7 + inputs * TOKENS_PER_INPUT;
  const parts = [{ text: 'Here it is.' }, { inlineData: { mimeType: 'image/png', data: PNG_BASE64 } }];
  return {
    status: 200,
    body: {
      candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: promptTokens,
        candidatesTokenCount: TOKENS_PER_IMAGE + 4,
        candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: TOKENS_PER_IMAGE }],
        totalTokenCount: promptTokens + TOKENS_PER_IMAGE + 4,
      },
    },
    billed: { images: 1, promptTokens, completionTokens: TOKENS_PER_IMAGE + 4 },
  };
}
