import { readObjects } from '../canonical/read-fields.js';
import { type Demand, type HostedTool, readTier } from '../chat/demand.js';
import { PromptMeter } from '../chat/prompt-meter.js';
import { isObject, type JsonObject } from '../json.js';
import { toCamelCase } from './normalise-keys.js';

/** Members of a part whose tokens are in the body. */
const IN_BODY = new Set(
  (
    'text thought thoughtSignature functionCall functionResponse executableCode codeExecutionResult toolCall ' +
    'toolResponse videoMetadata mediaResolution partMetadata inlineData fileData'
  ).split(' '),
);
const RUN_BY_CALLER = new Set(['functionDeclarations', 'computerUse']);
const VIDEO_SITE = /^https?:\/\/(?:[\w-]+\.)*(?:youtube\.com|youtu\.be)(?:[/:?#]|$)/i;
/** Sound in these formats, like text, has fewer tokens than bytes. */
const FEWER_TOKENS_THAN_BYTES = /^(?:text\/|audio\/(?:wav|x-wav|mp3|mpeg)(?:;|$))/i;

/** As many queries as a model makes at most. What they find is read once more with the prompt. */
export const SEARCH = { uses: 20, rounds: 2 } as const;

/**
 * Google's own tools. Those that search cost by the query or by the call, which depends on the model.
 *
 * @see https://ai.google.dev/gemini-api/docs/pricing
 */
const TOOLS: Readonly<Record<string, Pick<HostedTool, 'fee' | 'uses' | 'rounds'>>> = {
  googleSearch: { fee: 'per_web_search', ...SEARCH },
  googleSearchRetrieval: { fee: 'per_web_search', ...SEARCH },
  urlContext: { fee: 'tokens', uses: 0, rounds: 2 },
  fileSearch: { fee: 'tokens', uses: 0, rounds: 2 },
  // Code that failed is written again up to five times.
  codeExecution: { fee: 'tokens', uses: 0, rounds: 6 },
};

/** What a request of `generateContent` may use, in camelCase or snake_case. */
export function readGeminiDemand(body: Buffer, parsed: JsonObject): Demand {
  const meter = new PromptMeter(body.length);
  for (const name of ['contents', 'systemInstruction', 'system_instruction']) {
    const value = parsed[name];
    const contents = isObject(value) ? [value] : readObjects(value);
    contents.forEach(({ parts }, index) => {
      const place = () => `${isObject(value) ? name : `${name}[${index}]`}.parts`;
      meterParts(isObject(parts) ? [parts] : parts, place, meter);
    });
  }
  for (const name of ['cachedContent', 'cached_content']) {
    if (parsed[name] !== undefined && parsed[name] !== null) meter.addUnbounded(name);
  }
  return {
    textBytes: meter.textBytes,
    images: meter.images,
    unboundedField: meter.unboundedField,
    hasMedia: meter.hasMedia,
    hidesOutput: isMoreThanText(parsed.generationConfig ?? parsed.generation_config),
    extraOutputTokens: 0,
    compactions: 0,
    tools: readTools(parsed.tools),
    maxRounds: Infinity,
    tier: readTier(parsed.serviceTier, 'serviceTier') ?? readTier(parsed.service_tier, 'service_tier'),
  };
}

function isMoreThanText(config: unknown): boolean {
  if (!isObject(config)) return false;
  const modalities = config.responseModalities ?? config.response_modalities;
  return Array.isArray(modalities) && modalities.some((kind) => kind !== 'TEXT');
}

/** Says where something stands: only once it is asked for, since there may be tens of thousands of parts. */
type Place = () => string;

function meterParts(parts: unknown, path: Place, meter: PromptMeter): void {
  readObjects(parts).forEach((part, index) => {
    const place = () => `${path()}[${index}]`;
    if (!isInBody(part)) meter.addUnbounded(place);
    meterMedia(part, place, meter);
    const response = part.functionResponse ?? part.function_response;
    if (isObject(response)) meterParts(response.parts, () => `${place()}.functionResponse.parts`, meter);
  });
}

function isInBody(part: JsonObject): boolean {
  for (const key in part) if (!IN_BODY.has(key) && !IN_BODY.has(toCamelCase(key))) return false;
  return true;
}

function meterMedia(part: JsonObject, place: Place, meter: PromptMeter): void {
  const inline = part.inlineData ?? part.inline_data;
  if (isObject(inline)) {
    const type = readType(inline);
    if (type.startsWith('image/')) meter.addImage(inline.data);
    else if (!FEWER_TOKENS_THAN_BYTES.test(type)) meter.addUnbounded(() => `${place()}.inlineData`);
    else meter.addMedia();
  }
  const file = part.fileData ?? part.file_data;
  if (!isObject(file)) return;
  const uri = file.fileUri ?? file.file_uri;
  const isImage = readType(file).startsWith('image/') && typeof uri === 'string' && !VIDEO_SITE.test(uri);
  if (isImage) meter.addImage();
  else meter.addUnbounded(() => `${place()}.fileData`);
}

/** Of a media type that is charged by its name, in characters; there may be thousands. */
const LONGEST_TYPE = 128;

function readType(media: JsonObject): string {
  const type = media.mimeType ?? media.mime_type;
  return typeof type === 'string' && type.length <= LONGEST_TYPE ? type.trim().toLowerCase() : '';
}

function readTools(tools: unknown): HostedTool[] {
  const list = isObject(tools) ? [tools] : readObjects(tools);
  return list.flatMap((tool, index) =>
    Object.entries(tool).flatMap(([key, value]): HostedTool[] => {
      const name = toCamelCase(key);
      if (value === null || value === undefined || RUN_BY_CALLER.has(name)) return [];
      const known = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined;
      return [{ param: `tools[${index}].${key}`, name, ...(known ?? { fee: 'unknown', uses: 0 }) }];
    }),
  );
}
