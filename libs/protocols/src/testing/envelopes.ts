import { parseRequestBody } from '../canonical/parse-request-body.js';
import { readMessagesEnvelope } from '../anthropic-messages/read-envelope.js';
import type { ClientProtocolName } from '../canonical/blocks.js';
import { runAtOnce } from '../canonical/steps.js';
import type { ChatEnvelope } from '../chat/chat-envelope.js';
import { findChatProtocol } from '../chat/chat-protocols.js';
import {
  readGeminiEmbedding,
  readGeminiEmbeddings,
  readOpenAiEmbeddings,
} from '../embeddings/read-embeddings.js';
import type { Exchange } from '../exchange/exchange.js';
import { readGeminiEnvelope } from '../gemini-generate/read-envelope.js';
import { readGeminiImages } from '../images/read-gemini-images.js';
import { readImageEdit, readImageGeneration } from '../images/read-images.js';
import { readModeration } from '../moderation/read-moderation.js';
import { readChatEnvelope } from '../openai-chat/read-envelope.js';
import { readCompletionEnvelope } from '../openai-completions/read-envelope.js';
import { readResponsesEnvelope } from '../openai-responses/read-envelope.js';
import { readRerank } from '../rerank/read-rerank.js';
import { readSpeech } from '../audio/read-speech.js';
import { readOpenAiVideo } from '../video/openai-videos.js';
import { readGenericVideoRequest } from '../video/read-generic-request.js';
import { readNativeVideoRequest } from '../video/read-native-request.js';

/** What a call is billed by. */
export interface Billed {
  /** `undefined` where the path names it. */
  readonly model: string | undefined;
  readonly cap?: number | undefined;
  readonly choices?: number;
  readonly stream?: boolean;
  readonly seconds?: number;
}

/** An endpoint with a JSON body, and which members its upstreams read. */
export interface Envelope {
  readonly name: string;
  /** A body without anything that may be left out. */
  readonly valid: Readonly<Record<string, unknown>>;
  /** Names of each member that an upstream reads; several are spellings or fields that mean the same. */
  readonly reads: {
    readonly cap?: readonly (readonly string[])[];
    readonly choices?: readonly (readonly string[])[];
    readonly stream?: readonly string[];
    readonly seconds?: readonly (readonly string[])[];
  };
  /** Spellings of the object that holds cap and choices, where they are not at the top level. */
  readonly config?: readonly string[];
  /** What is billed, and the bytes that the upstream gets. @throws GatewayError `invalid_request` */
  send(body: Buffer): { readonly billed: Billed; readonly sent: Buffer };
}

/** The upstream's own name of every model, and the cap that the funds set where the caller sets none. */
export const UPSTREAM_MODEL = 'upstream-model';
export const FUNDS_CAP = 77;
const SLUG = 'slug';

function chat(
  name: ClientProtocolName,
  read: (body: Buffer) => ChatEnvelope,
  facts: Pick<Envelope, 'valid' | 'reads' | 'config'>,
): Envelope {
  return {
    name,
    ...facts,
    send: (body) => {
      const envelope = read(body);
      const { maxTokens, choices, stream } = envelope;
      const funds = maxTokens === undefined ? FUNDS_CAP : undefined;
      const sent = findChatProtocol(name).editRequest(body, envelope, {
        model: UPSTREAM_MODEL,
        forceUsage: stream,
        cap: funds,
        traits: {},
      });
      if (!Buffer.isBuffer(sent)) throw new Error('a small body comes in one piece');
      const model = name === 'gemini-generate' ? undefined : UPSTREAM_MODEL;
      return { billed: { model, cap: maxTokens ?? FUNDS_CAP, choices, stream }, sent };
    },
  };
}

function exchange(
  name: string,
  read: (body: Buffer) => Exchange,
  facts: Pick<Envelope, 'valid' | 'reads'>,
  isNamedByPath = false,
): Envelope {
  return {
    name,
    ...facts,
    send: (body) => {
      const call = read(body);
      const { protocol, bound } = call;
      const target = {
        protocol,
        model: UPSTREAM_MODEL,
        channelType: 'any',
        traits: {},
        dropped: { add: () => undefined },
      };
      const bytes = call.prepare(target).bodies[0]?.bytes;
      if (!Buffer.isBuffer(bytes)) throw new Error('the body is not in memory');
      const model = isNamedByPath ? undefined : UPSTREAM_MODEL;
      return { billed: { model, choices: bound.images, stream: call.stream }, sent: bytes };
    },
  };
}

/** Orders are written again for a provider; what the caller wrote must be clear all the same. */
function video(
  name: string,
  read: (body: Buffer) => { model: string; seconds: number },
  valid: Envelope['valid'],
  words: string[],
): Envelope {
  return {
    name,
    valid,
    reads: { seconds: words.map((word) => [word]) },
    send: (body) => {
      const { model, seconds } = read(body);
      return { billed: { model, seconds }, sent: body };
    },
  };
}

const MESSAGES = [{ role: 'user', content: 'hi' }];
const CONTENTS = [{ parts: [{ text: 'hi' }] }];
const CHOICES = [['n'], ['best_of']];

/** Every endpoint with a JSON body. */
export const ENVELOPES: readonly Envelope[] = [
  chat('openai-chat', readChatEnvelope, {
    valid: { model: SLUG, messages: MESSAGES },
    reads: { cap: [['max_tokens'], ['max_completion_tokens']], choices: CHOICES, stream: ['stream'] },
  }),
  chat('openai-completions', readCompletionEnvelope as unknown as (body: Buffer) => ChatEnvelope, {
    valid: { model: SLUG, prompt: 'hi' },
    reads: { cap: [['max_tokens']], choices: CHOICES, stream: ['stream'] },
  }),
  chat('openai-responses', readResponsesEnvelope, {
    valid: { model: SLUG, input: 'hi' },
    reads: { cap: [['max_output_tokens']], stream: ['stream'] },
  }),
  chat('anthropic-messages', readMessagesEnvelope, {
    valid: { model: SLUG, messages: MESSAGES, max_tokens: 50 },
    reads: { cap: [['max_tokens']], stream: ['stream'] },
  }),
  chat('gemini-generate', (body) => readGeminiEnvelope(body, SLUG, false), {
    valid: { contents: CONTENTS, generationConfig: { topK: 1 } },
    reads: {
      cap: [['maxOutputTokens', 'max_output_tokens']],
      choices: [['candidateCount', 'candidate_count']],
    },
    config: ['generationConfig', 'generation_config'],
  }),
  exchange('embeddings', readOpenAiEmbeddings, { valid: { model: SLUG, input: 'hi' }, reads: {} }),
  exchange(
    'embedContent',
    (body) => readGeminiEmbedding(body, SLUG),
    { valid: { content: CONTENTS[0] }, reads: {} },
    true,
  ),
  exchange(
    'batchEmbedContents',
    (body) => readGeminiEmbeddings(body, SLUG),
    { valid: { requests: [{ content: CONTENTS[0] }] }, reads: {} },
    true,
  ),
  exchange('moderations', readModeration, { valid: { model: SLUG, input: 'hi' }, reads: {} }),
  exchange('rerank', readRerank, { valid: { model: SLUG, query: 'q', documents: ['d'] }, reads: {} }),
  exchange('speech', readSpeech, { valid: { model: SLUG, input: 'hi', voice: 'alloy' }, reads: {} }),
  exchange('images', readImageGeneration, {
    valid: { model: SLUG, prompt: 'hi' },
    reads: { choices: [['n']], stream: ['stream'] },
  }),
  exchange('image edits', readImageEdit, {
    valid: { model: SLUG, prompt: 'hi', images: [{ image_url: 'https://example.com/a.png' }] },
    reads: { choices: [['n']], stream: ['stream'] },
  }),
  exchange(
    'Google images',
    (body) => runAtOnce(readGeminiImages(body, { model: SLUG, stream: false, framing: 'sse' })),
    { valid: { contents: CONTENTS }, reads: {} },
    true,
  ),
  video(
    'generic videos',
    (body) => {
      const { model, order } = readGenericVideoRequest(body);
      return { model, seconds: order.seconds };
    },
    { model: SLUG, prompt: 'hi', seconds: 6 },
    ['seconds', 'duration'],
  ),
  video(
    "OpenAI's videos",
    (body) => {
      const { model, order } = readGenericVideoRequest(readOpenAiVideo(parseRequestBody(body)));
      return { model, seconds: order.seconds };
    },
    { model: SLUG, prompt: 'hi', seconds: 6 },
    ['seconds'],
  ),
  video(
    'native videos',
    readNativeVideoRequest,
    { model: SLUG, content: [{ type: 'text', text: 'hi' }], duration: 6 },
    ['duration'],
  ),
];
