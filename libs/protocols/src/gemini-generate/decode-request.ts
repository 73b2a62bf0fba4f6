import { readFlag, readList, readNumber, readObject, readText } from '../canonical/read-fields.js';
import { limitStops } from '../canonical/limit-items.js';
import { isTooDeep, refuseField } from '../canonical/refuse.js';
import type { Steps } from '../canonical/steps.js';
import type {
  CanonicalRequest,
  OutputFormat,
  ReasoningEffort,
  ReasoningRequest,
} from '../canonical/request.js';
import { nameTier } from '../chat/demand.js';
import { isObject, type JsonObject } from '../json.js';
import { decodeContents, decodeSystem } from './decode-contents.js';
import { decodeToolConfig, decodeTools, limitDeclared } from './decode-tools.js';
import { normaliseInSteps } from './normalise-keys.js';
import { openApiSchemas } from './schema.js';

const LEVELS: Readonly<Record<string, ReasoningEffort>> = {
  MINIMAL: 'minimal',
  LOW: 'low',
  MEDIUM: 'medium',
  HIGH: 'high',
};

/**
 * Reads a request of `generateContent`, whose model stands in the path.
 *
 * @throws GatewayError `invalid_request` naming the field.
 * @see https://ai.google.dev/api/generate-content
 */
export function* decodeInSteps(body: JsonObject, model: string, stream: boolean): Steps<CanonicalRequest> {
  if (isTooDeep(body)) refuseField('body', 'is nested too deeply');
  const { contents, ...written } = body;
  limitDeclared(written.tools);
  const { systemInstruction, tools, toolConfig, generationConfig, ...others } =
    yield* normaliseInSteps(written);
  const { serviceTier, stream: _stream, model: _model, ...rest } = others;
  const config = decodeConfig(generationConfig);
  const { toolChoice, rest: toolRest } = decodeToolConfig(toolConfig);
  return {
    model,
    stream,
    includeUsage: true,
    turns: [...decodeSystem(systemInstruction), ...(yield* decodeContents(contents))],
    ...decodeTools(tools),
    toolChoice,
    parallelToolCalls: undefined,
    ...config.settings,
    user: undefined,
    serviceTier: readTier(serviceTier),
    ext: toExtensions({ ...rest, ...toolRest, ...config.rest }),
  };
}

/** Google's `standard` is the others' `default`. */
function readTier(tier: unknown): string | undefined {
  const given = readText(tier);
  const name = given === undefined ? undefined : nameTier(given);
  return name === 'standard' ? 'default' : name;
}

function toExtensions(fields: JsonObject): CanonicalRequest['ext'] {
  const own = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  return Object.keys(own).length === 0 ? {} : { 'gemini-generate': own };
}

/** An older name of `responseJsonSchema` that SDKs still send. */
const HIDDEN_SCHEMA = '_responseJsonSchema';

type Settings = Pick<
  CanonicalRequest,
  | 'maxTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'stop'
  | 'seed'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'choices'
  | 'logprobs'
  | 'reasoning'
  | 'output'
>;

interface DecodedConfig {
  readonly settings: Settings;
  readonly rest: JsonObject;
}

const CONSUMED = new Set(
  (
    'maxOutputTokens temperature topP topK stopSequences seed presencePenalty frequencyPenalty candidateCount ' +
    'responseLogprobs logprobs thinkingConfig responseMimeType responseSchema responseJsonSchema _responseJsonSchema'
  ).split(' '),
);
/** Google has about forty. */
const MOST_SETTINGS = 500;

function decodeConfig(value: unknown): DecodedConfig {
  if (value !== undefined && value !== null && !isObject(value))
    refuseField('generationConfig', 'must be an object');
  const config = readObject(value) ?? {};
  const rest: JsonObject = {};
  const settings = Object.entries(config);
  if (settings.length > MOST_SETTINGS) {
    refuseField('generationConfig', `must hold at most ${MOST_SETTINGS} members`);
  }
  for (const [key, member] of settings) {
    if (CONSUMED.has(key) || member === null || isTextOnly(key, member)) continue;
    rest[`generationConfig.${key}`] = member;
  }
  if (config.responseMimeType === 'text/x.enum') {
    rest['generationConfig.responseMimeType'] = config.responseMimeType;
    rest['generationConfig.responseSchema'] = config.responseSchema;
  }
  return { settings: decodeSettings(config), rest };
}

function isTextOnly(key: string, modalities: unknown): boolean {
  return key === 'responseModalities' && readList(modalities).every((name) => name === 'TEXT');
}

function decodeSettings(config: JsonObject): Settings {
  const wantsLogprobs = readFlag(config.responseLogprobs) === true;
  return {
    maxTokens: readCount(config, 'maxOutputTokens'),
    temperature: readSetting(config, 'temperature'),
    topP: readSetting(config, 'topP'),
    topK: readSetting(config, 'topK'),
    stop: limitStops(
      readList(config.stopSequences).filter((text) => typeof text === 'string'),
      'generationConfig.stopSequences',
    ),
    seed: readSetting(config, 'seed'),
    presencePenalty: readSetting(config, 'presencePenalty'),
    frequencyPenalty: readSetting(config, 'frequencyPenalty'),
    choices: readCount(config, 'candidateCount') ?? 1,
    logprobs: wantsLogprobs ? { top: readTop(config) } : undefined,
    reasoning: decodeThinking(config.thinkingConfig),
    output: decodeOutput(config),
  };
}

function readSetting(config: JsonObject, key: string): number | undefined {
  const value = config[key];
  if (value === undefined || value === null) return undefined;
  return readNumber(value) ?? refuseField(`generationConfig.${key}`, 'must be a number');
}

function readTop(config: JsonObject): number {
  const top = readSetting(config, 'logprobs') ?? 0;
  if (Number.isSafeInteger(top) && top >= 0) return top;
  return refuseField('generationConfig.logprobs', 'must be an integer of 0 or more');
}

function readCount(config: JsonObject, key: string): number | undefined {
  const value = readSetting(config, key);
  if (value === undefined || (Number.isSafeInteger(value) && value > 0)) return value;
  return refuseField(`generationConfig.${key}`, 'must be a positive integer');
}

function decodeThinking(value: unknown): ReasoningRequest | undefined {
  if (!isObject(value)) return undefined;
  const budget = readNumber(value.thinkingBudget);
  if (budget !== undefined && !Number.isSafeInteger(budget)) {
    refuseField('generationConfig.thinkingConfig.thinkingBudget', 'must be an integer');
  }
  const level = readText(value.thinkingLevel)?.toUpperCase() ?? '';
  return {
    effort: budget === 0 ? 'none' : Object.hasOwn(LEVELS, level) ? LEVELS[level] : undefined,
    budgetTokens: budget !== undefined && budget > 0 ? budget : undefined,
    adaptive: budget === -1,
    show: readFlag(value.includeThoughts),
  };
}

function decodeOutput(config: JsonObject): OutputFormat | undefined {
  if (config.responseMimeType !== 'application/json') return undefined;
  const jsonSchema = config.responseJsonSchema ?? config[HIDDEN_SCHEMA];
  if (isObject(jsonSchema)) return { type: 'schema', name: undefined, schema: jsonSchema, strict: undefined };
  if (!isObject(config.responseSchema)) return { type: 'json' };
  return {
    type: 'schema',
    name: undefined,
    schema: openApiSchemas.of(config.responseSchema),
    strict: undefined,
  };
}
