import { checkObjects, checkText } from '../canonical/check-fields.js';
import { mayBeImage } from '../canonical/media-type.js';
import { readObjects } from '../canonical/read-fields.js';
import { type Demand, type HostedTool, readTier } from '../chat/demand.js';
import { PromptMeter } from '../chat/prompt-meter.js';
import { isObject, type JsonObject } from '../json.js';
import { scanBody } from '../strict-json/scanned-body.js';

const TEXT_PARTS = new Set(['text', 'input_text', 'output_text', 'refusal', 'thinking', 'reasoning']);
/** Tools that the caller runs. */
const RUN_BY_CALLER = new Set(['function', 'custom']);
/** Members by which providers that look like OpenAI are asked to search the web, or to do other work that they charge. */
const PROVIDER_WORK = ['search_parameters', 'enable_search', 'enable_web_search', 'web_search', 'plugins'];

/** What a chat request may use. */
export function readChatDemand(body: Buffer, parsed: JsonObject): Demand {
  const meter = new PromptMeter(body.length);
  readObjects(parsed.messages).forEach((message, index) => {
    const path = `messages[${index}]`;
    meterParts(message.content, `${path}.content`, meter);
    // An answer that was spoken earlier is named by its id.
    if (isObject(message.audio)) meter.addUnbounded(`${path}.audio`);
  });
  return {
    textBytes: meter.textBytes,
    images: meter.images,
    unboundedField: meter.unboundedField,
    hasMedia: meter.hasMedia,
    hidesOutput: hidesOutput(parsed),
    extraOutputTokens: isObject(parsed.prediction) ? countPrediction(body) : 0,
    compactions: 0,
    tools: readTools(parsed),
    hasFunctions: readObjects(parsed.functions).length > 0 || readObjects(parsed.tools).some(isFunction),
    maxRounds: Infinity,
    tier: readTier(parsed.service_tier, 'service_tier'),
  };
}

/** Speech, and answers of which the best is given. */
export function hidesOutput({ modalities, audio, best_of: bestOf }: JsonObject): boolean {
  const speaks = isObject(audio) || (Array.isArray(modalities) && modalities.some((kind) => kind !== 'text'));
  return speaks || (typeof bestOf === 'number' && bestOf > 1);
}

function meterParts(content: unknown, path: string, meter: PromptMeter): void {
  readObjects(content).forEach((part, index) => {
    const { type } = part;
    const place = `${path}[${index}]`;
    if (type === 'image_url') meterImage(part.image_url, place, meter);
    else if (type === 'input_audio') meterAudio(part.input_audio, place, meter);
    else if (typeof type !== 'string' || !TEXT_PARTS.has(type)) meter.addUnbounded(place);
  });
}

function meterImage(image: unknown, place: string, meter: PromptMeter): void {
  const url = isObject(image) ? image.url : image;
  if (typeof url !== 'string') return;
  if (mayBeImage(url)) meter.addImage(url.startsWith('data:') ? url : undefined);
  else meter.addUnbounded(`${place}.image_url`);
}

/** Sound in these formats has fewer tokens than bytes. */
function meterAudio(audio: unknown, place: string, meter: PromptMeter): void {
  const format = isObject(audio) ? audio.format : undefined;
  if (format === 'wav' || format === 'mp3') meter.addMedia();
  else meter.addUnbounded(`${place}.input_audio`);
}

/**
 * What of a prediction the model does not say is billed like an answer: it has no more tokens than bytes in the body.
 *
 * @see https://platform.openai.com/docs/guides/predicted-outputs
 */
function countPrediction(body: Buffer): number {
  const span = scanBody(body).find(({ key }) => key === 'prediction');
  return span ? span.valueEnd - span.valueStart : body.length;
}

function readTools(parsed: JsonObject): HostedTool[] {
  const declared = checkObjects(parsed, 'tools').flatMap(({ item, name }): HostedTool[] => {
    const type = checkText(item, 'type', name) ?? 'function';
    return RUN_BY_CALLER.has(type) ? [] : [unknown(`${name}.type`, type)];
  });
  const asked = PROVIDER_WORK.filter((field) => parsed[field]).map((field) => unknown(field, field));
  return [...declared, ...asked, ...readSearch(parsed.web_search_options)];
}

function isFunction({ type = 'function' }: JsonObject): boolean {
  return type === 'function';
}

/** These models search once for every call, and no answer reports it. @see https://platform.openai.com/docs/guides/tools-web-search */
function readSearch(options: unknown): HostedTool[] {
  if (options === undefined || options === null) return [];
  const param = 'web_search_options';
  return [{ param, name: param, fee: 'per_web_search', uses: 1, unreported: true }];
}

function unknown(param: string, name: string): HostedTool {
  return { param, name, fee: 'unknown', uses: 0 };
}
