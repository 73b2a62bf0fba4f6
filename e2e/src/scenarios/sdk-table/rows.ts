import { CLOUDS } from '../../deployment/clouds.js';
import { LOOK_ALIKES } from '../../deployment/look-alikes.js';
import { OPENAI, type Wire, WIRES } from '../../deployment/wires.js';

/** A channel type and what its users meet, where it is not what they meet everywhere. */
export interface Row extends Wire {
  /** How it is asked, where that is its own: paths of whole and streamed answers, and the credential. */
  readonly asked?: { readonly whole: RegExp; readonly stream: RegExp; readonly credential: RegExp };
  /** Its model reads no images: the words of its refusal. */
  readonly refusesImages?: RegExp;
  /** SDKs that get no reasoning: the provider keeps them to itself in the protocol that is spoken then. */
  readonly hidesThoughtsFrom?: readonly string[];
  /** What must come back of the thoughts that calls were made with; the upstream checks it. */
  readonly wantsThoughtsBack?: RegExp;
  /** SDKs whose thoughts of earlier turns are left out and named: the provider wants none back. */
  readonly dropsThoughtsOf?: readonly string[];
  /** Its usage does not tell what came from the cache at all. */
  readonly hidesCache?: boolean;
  /** SDKs that get its own bytes, in which it tells what came from the cache where they do not look. */
  readonly hidesCacheFrom?: readonly string[];
  /** It counts the tokens of a prompt, for every SDK that asks. */
  readonly counts?: boolean;
}

const SDKS = ['openai (chat)', 'openai (responses)', 'anthropic', 'google'];
const ALL_BUT_CHAT = SDKS.filter((name) => name !== 'openai (chat)');
const ALL_BUT_RESPONSES = SDKS.filter((name) => name !== 'openai (responses)');
const NO_IMAGES = /^400 (?:BadRequestError|ApiError): .*unknown variant `image_url`/;
const BEARER = /^Bearer /;
const AWS = /^AWS4-HMAC-SHA256 Credential=.+\/eu-west-1\/bedrock\/aws4_request/;

const FACTS: Readonly<Record<string, Omit<Row, keyof Wire>>> = {
  openai: { hidesThoughtsFrom: ALL_BUT_RESPONSES },
  chat: { dropsThoughtsOf: ALL_BUT_CHAT },
  responses: { wantsThoughtsBack: /"encrypted_content":"[^"]+/ },
  anthropic: { wantsThoughtsBack: /"signature":"[^"]+/, counts: true },
  gemini: {
    wantsThoughtsBack: /"thoughtSignature":"[^"]+/,
    counts: true,
  },

  'bedrock-claude': {
    asked: {
      whole: /^\/model\/anthropic\.claude-[^/]+\/invoke$/,
      stream: /\/invoke-with-response-stream$/,
      credential: AWS,
    },
    counts: true,
    wantsThoughtsBack: /"signature":"[^"]+/,
  },
  'bedrock-nova': {
    asked: {
      whole: /^\/model\/us\.amazon\.nova-2-lite-v1%3A0[^/]*\/converse$/,
      stream: /\/converse-stream$/,
      credential: BEARER,
    },
    wantsThoughtsBack: /"reasoningText":\{"text":"The river runs[^}]+"signature":"[^"]+"/,
  },
  'vertex-gemini': {
    asked: {
      whole: /\/publishers\/google\/models\/gemini-[^/]+:generateContent$/,
      stream: /:streamGenerateContent$/,
      credential: BEARER,
    },
    wantsThoughtsBack: /"thoughtSignature":"[^"]+/,
    counts: true,
  },
  'vertex-claude': {
    asked: {
      whole: /\/publishers\/anthropic\/models\/claude-[^/]+:rawPredict$/,
      stream: /:streamRawPredict$/,
      credential: BEARER,
    },
    wantsThoughtsBack: /"signature":"[^"]+/,
    counts: true,
  },
  'azure-chat': {
    asked: {
      whole: /^\/openai\/deployments\/gpt-5\.1[^/]*\/chat\/completions$/,
      stream: /\/chat\/completions$/,
      credential: /^sk-/,
    },
    hidesThoughtsFrom: SDKS,
  },
  'azure-responses': {
    asked: { whole: /^\/openai\/v1\/responses$/, stream: /^\/openai\/v1\/responses$/, credential: /^sk-/ },
    wantsThoughtsBack: /"encrypted_content":"[^"]+/,
  },

  deepseek: {
    ...askAt('/deepseek/v1'),
    refusesImages: NO_IMAGES,
    wantsThoughtsBack: /"reasoning_content":"The river/,
  },
  openrouter: { ...askAt('/openrouter/api/v1'), wantsThoughtsBack: /"signature":"[^"]+/ },
  mistral: { ...askAt('/mistral/v1'), dropsThoughtsOf: SDKS },
  xai: { ...askAt('/xai/v1'), dropsThoughtsOf: ALL_BUT_CHAT },
  groq: { ...askAt('/groq/openai/v1'), dropsThoughtsOf: ALL_BUT_CHAT, refusesImages: NO_IMAGES },
  togetherai: {
    ...askAt('/togetherai/v1'),
    dropsThoughtsOf: ALL_BUT_CHAT,
    refusesImages: NO_IMAGES,
    hidesCacheFrom: ['openai (chat)'],
  },
  fireworks: { ...askAt('/fireworks/inference/v1'), dropsThoughtsOf: ALL_BUT_CHAT },
  moonshot: {
    ...askAt('/moonshot/v1'),
    hidesCacheFrom: ['openai (chat)'],
    wantsThoughtsBack: /"reasoning_content":"The river/,
  },
  qwen: { ...askAt('/qwen/compatible-mode/v1'), dropsThoughtsOf: ALL_BUT_CHAT },
  zhipu: { ...askAt('/zhipu/api/paas/v4'), dropsThoughtsOf: ALL_BUT_CHAT },
  volcengine: { ...askAt('/volcengine/api/v3'), dropsThoughtsOf: ALL_BUT_CHAT },
  ollama: { ...askAt('/ollama/v1'), dropsThoughtsOf: ALL_BUT_CHAT, hidesCache: true },
  vllm: { ...askAt('/vllm/v1'), dropsThoughtsOf: ALL_BUT_CHAT },
};

/** One row a protocol: what can differ between ways of running the planes. */
export const SHORT_TABLE: readonly Row[] = WIRES.map(addFacts);

/** The clouds, once for each way in which they speak, and types that speak as OpenAI does: each shares its protocol with a row above. */
export const SHARED_PROTOCOLS: readonly Row[] = [...CLOUDS, ...LOOK_ALIKES].map(addFacts);

/** Every type of channel that chats. */
export const WHOLE_TABLE: readonly Row[] = [...[OPENAI, ...WIRES].map(addFacts), ...SHARED_PROTOCOLS];

function addFacts(wire: Wire): Row {
  return { ...wire, ...FACTS[wire.name] };
}

function askAt(path: string): Pick<Row, 'asked'> {
  const whole = new RegExp(`^${path}/chat/completions$`);
  return { asked: { whole, stream: whole, credential: BEARER } };
}
