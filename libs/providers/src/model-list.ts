import { type ListedModel, type ModelKind, omitUndefined } from '@mg/contract';
import { isObject } from '@mg/protocols';
import type { ProviderDescriptor } from './descriptor.js';
import { joinUpstreamUrl } from './join-url.js';
import type { OutgoingRequest } from './signing.js';

/** Where a provider says which models there are. */
export interface ModelList {
  /** Path below the versioned base address, with its query. */
  readonly path: string;
  authorize(apiKey: string | undefined): Readonly<Record<string, string>>;
  /** The models of an answer; none where it has another shape. */
  read(answer: unknown): readonly ListedModel[];
}

/** The list of OpenAI and of all who speak its protocols: `{"data": [{"id": ...}]}`, or the array alone. */
export const openAiModelList: ModelList = {
  path: '/models',
  authorize: (apiKey): Record<string, string> =>
    apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
  read: (answer) => readNames(isObject(answer) ? answer.data : answer),
};

/** @see https://platform.claude.com/docs/en/api/models/list */
export const anthropicModelList: ModelList = {
  path: '/models?limit=1000',
  authorize: (apiKey) => ({ 'x-api-key': apiKey ?? '', 'anthropic-version': '2023-06-01' }),
  read: openAiModelList.read,
};

const METHODS: readonly (readonly [method: string, kind: ModelKind])[] = [
  ['predictLongRunning', 'video'],
  ['predict', 'image'],
  ['embedContent', 'embedding'],
];

/** @see https://ai.google.dev/api/models#method:-models.list */
export const geminiModelList: ModelList = {
  path: '/models?pageSize=1000',
  authorize: (apiKey) => ({ 'x-goog-api-key': apiKey ?? '' }),
  read: (answer) =>
    listOf(isObject(answer) ? answer.models : undefined).flatMap((model) => {
      if (typeof model.name !== 'string') return [];
      const methods = Array.isArray(model.supportedGenerationMethods) ? model.supportedGenerationMethods : [];
      const kind = METHODS.find(([method]) => methods.includes(method))?.[1];
      return [omitUndefined({ name: model.name.replace(/^models\//, ''), kind })];
    }),
};

/** The request for a provider's list, without a body. @throws TypeError when the base address is no URL. */
export function addressModelList(
  list: ModelList,
  { versionPath }: ProviderDescriptor,
  { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string | undefined },
): Pick<OutgoingRequest, 'url' | 'headers'> {
  return {
    url: joinUpstreamUrl(baseUrl, versionPath, list.path),
    headers: { ...list.authorize(apiKey), accept: 'application/json' },
  };
}

function readNames(list: unknown): ListedModel[] {
  return listOf(list).flatMap(({ id }) => (typeof id === 'string' ? [{ name: id }] : []));
}

function listOf(list: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(list) ? list.filter(isObject) : [];
}

/** Parts of names that say what a model does; all others chat. */
const NAMES: readonly (readonly [part: RegExp, kind: ModelKind])[] = [
  [/embed|(?:^|[/-])bge-/, 'embedding'],
  [/rerank/, 'rerank'],
  [/moderation/, 'moderation'],
  [/whisper|transcribe/, 'transcription'],
  [/realtime|native-audio|-live(?:-|$)/, 'realtime'],
  [/(?:^|[/-])tts(?:-|$)|speech/, 'speech'],
  [/sora|veo-|video|kling|seedance/, 'video'],
  [/image|dall-e|imagen|flux|seedream/, 'image'],
];

/** What a model most likely does, by its name: a suggestion, for lists do not say. */
export function guessKind(name: string): ModelKind {
  const lower = name.toLowerCase();
  return NAMES.find(([part]) => part.test(lower))?.[1] ?? 'chat';
}
