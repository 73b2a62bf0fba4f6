import { omitUndefined } from '@mg/contract';
import { checkCount, checkObject, checkObjects, checkText } from '../canonical/check-fields.js';
import { countIn, limitTurn } from '../canonical/limit-items.js';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { readList } from '../canonical/read-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import type { Framing } from '../chat/chat-protocol.js';
import { createExchange } from '../exchange/create-exchange.js';
import type { Exchange } from '../exchange/exchange.js';
import { normaliseInSteps } from '../gemini-generate/normalise-keys.js';
import type { JsonObject } from '../json.js';
import { GEMINI_NAMES } from '../strict-json/known-names.js';
import { readRatioSize } from './aspect-ratio.js';
import {
  forGoogleClients,
  geminiImageClient,
  type GeminiImageReply,
  type GeminiImageRequest,
  geminiOwnImages,
} from './gemini-image-client.js';
import { imagenChannel } from './imagen-images.js';
import type { ImageRequest, ImageSource } from './image.js';
import { describeImageExchange } from './image-exchange.js';
import { USUAL_ANSWER_BYTES } from './image-usage.js';
import { openAiImageChannel } from './openai-images.js';

/** Members of a request, and of its configuration, that are carried to whoever makes images. */
const READ = new Set(['contents', 'generationConfig', 'stream']);
const READ_CONFIG = new Set(['responseModalities', 'candidateCount', 'imageConfig']);
/** Members without which the request would mean something else. */
const BINDING = new Set(['systemInstruction', 'tools', 'toolConfig', 'cachedContent']);

/** Characters of all texts of a request, which are counted in one step: several times what models that make images read. */
const MOST_TEXT = 1024 * 1024;

/** What the path and the query of a call say. */
export interface GeminiImageCall {
  readonly model: string;
  readonly stream: boolean;
  readonly framing: Framing;
}

/**
 * A call of `:generateContent` or `:streamGenerateContent` for a model that makes images. Google's channels get its body as
 * it is; all others a prompt, with the images of the one turn that there may be. It is read in steps.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://ai.google.dev/gemini-api/docs/image-generation
 */
export function* readGeminiImages(bytes: Buffer, call: GeminiImageCall): Steps<Exchange> {
  const parsed = parseRequestBody(bytes, GEMINI_NAMES);
  const request = readRequest(yield* normaliseInSteps(parsed), call, { kind: 'json', bytes, parsed });
  return createExchange<GeminiImageRequest, GeminiImageReply>({
    ...describeImageExchange(request),
    answerBytes: request.count * USUAL_ANSWER_BYTES,
    client: geminiImageClient,
    channels: {
      'gemini-images': geminiOwnImages,
      'openai-images': forGoogleClients(openAiImageChannel),
      'imagen-images': forGoogleClients(imagenChannel),
    },
  });
}

function readRequest(
  body: JsonObject,
  { model, stream, framing }: GeminiImageCall,
  own: ImageRequest['body'],
): GeminiImageRequest {
  limitTurn(readList(body.contents).length, 'contents');
  const turns = checkObjects(body, 'contents');
  if (turns.length === 0) refuseField('contents', 'must not be empty');
  limitTurn(countIn(turns.map(({ item }) => item.parts)), 'contents');
  const parts = turns.flatMap(({ item, name }) => checkObjects(item, 'parts', name));
  const texts = parts.flatMap(({ item, name }) => checkText(item, 'text', name) ?? []);
  if (texts.reduce((sum, { length }) => sum + length, 0) > MOST_TEXT) {
    refuseField('contents', `must hold texts of at most ${MOST_TEXT} characters`);
  }
  const prompt = texts.join('\n');
  const images = parts.flatMap(({ item, name }) => readImage(item, name));
  const config = checkObject(body, 'generationConfig') ?? {};
  const count = checkCount(config, 'candidateCount', 'generationConfig') ?? 1;
  return {
    task: images.length === 0 ? 'generate' : 'edit',
    model,
    prompt,
    count,
    size: readSize(config),
    quality: undefined,
    format: 'b64_json',
    stream,
    images,
    mask: undefined,
    fields: omitUndefined({ prompt, response_format: 'b64_json', n: count === 1 ? undefined : count }),
    body: own,
    turns: turns.length,
    binding: Object.keys(body).filter((name) => BINDING.has(name)),
    hints: [
      ...Object.keys(body).filter((name) => !READ.has(name) && !BINDING.has(name)),
      ...Object.keys(config)
        .filter((name) => !READ_CONFIG.has(name))
        .map((name) => `generationConfig.${name}`),
    ],
    framing,
  };
}

function readImage(part: JsonObject, name: string): ImageSource[] {
  const inline = checkObject(part, 'inlineData', name);
  if (inline) {
    const mediaType = checkText(inline, 'mimeType', `${name}.inlineData`) ?? '';
    const data = checkText(inline, 'data', `${name}.inlineData`) ?? '';
    return [{ kind: 'base64', text: data, mediaType }];
  }
  const uri = checkText(checkObject(part, 'fileData', name) ?? {}, 'fileUri', `${name}.fileData`);
  if (uri === undefined) return [];
  return [/^https?:/i.test(uri) ? { kind: 'url', url: uri } : { kind: 'file', id: uri }];
}

function readSize(config: JsonObject): ImageRequest['size'] {
  const image = checkObject(config, 'imageConfig', 'generationConfig') ?? {};
  const ratio = checkText(image, 'aspectRatio', 'generationConfig.imageConfig');
  const resolution = checkText(image, 'imageSize', 'generationConfig.imageConfig');
  return ratio === undefined && resolution === undefined ? undefined : readRatioSize(ratio, resolution);
}
