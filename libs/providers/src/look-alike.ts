import { omitUndefined } from '@mg/contract';
import type { JsonObject, TraitsOf } from '@mg/protocols';
import { dialectSettings, readDialectSettings } from './dialect-settings.js';
import {
  defineProvider,
  type ExchangeSurface,
  type ProviderDescriptor,
  type SurfaceOf,
} from './descriptor.js';
import { openAiModelList } from './model-list.js';
import { listOpenAiExchanges, type OpenAiExchange } from './openai-exchanges.js';
import { switchThinking, type ThinkingSwitch } from './thinking-switch.js';

/** A provider that speaks OpenAI's chat completions, described by how it differs from OpenAI. */
export interface LookAlike extends Pick<
  ProviderDescriptor,
  'id' | 'title' | 'defaultBaseUrl' | 'environmentKey' | 'telemetryName' | 'priceSource' | 'onAbort'
> {
  /** `/v1` unless set otherwise. */
  readonly versionPath?: string;
  readonly credential?: 'api-key' | 'optional';
  /** The same for every model, or by the model's name. */
  readonly traits?: TraitsOf<'openai-chat'> | ((model: string) => TraitsOf<'openai-chat'>);
  /** How thinking is switched on and off where an effort alone does not. */
  readonly thinkingSwitch?: ThinkingSwitch;
  /** Other changes that the provider needs in each body. */
  readonly adapt?: (body: JsonObject) => JsonObject;
  /** Whether it also has OpenAI's text completions, with every one of its models. */
  readonly textCompletions?: boolean;
  /** What it offers beside chat, in OpenAI's manner. */
  readonly exchanges?: readonly OpenAiExchange[];
  /** Most inputs of one request of embeddings. */
  readonly maxEmbeddingInputs?: number;
  /** What it offers beside chat in a manner of its own. */
  readonly otherExchanges?: readonly ExchangeSurface[];
  /** Sessions over a WebSocket. */
  readonly realtime?: ProviderDescriptor['realtime'];
  readonly models?: ProviderDescriptor['models'];
}

/** What most look-alikes understand; the fields that only OpenAI has are left out. */
const COMMON: TraitsOf<'openai-chat'> = { maxTokensField: 'max_tokens', userField: 'user' };

const TEXT_COMPLETIONS: Pick<SurfaceOf<'openai-completions'>, 'protocol' | 'serves' | 'path'> = {
  protocol: 'openai-completions',
  serves: (_model, settings) => settings.text_completions !== false,
  path: () => '/completions',
};

/** A descriptor for a look-alike. Channels may correct every one of its traits in their settings. */
export function defineLookAlike(lookAlike: LookAlike): ProviderDescriptor {
  const {
    versionPath = '/v1',
    credential = 'api-key',
    models = [],
    exchanges = [],
    otherExchanges = [],
    maxEmbeddingInputs,
    realtime,
    ...facts
  } = lookAlike;
  const { traits, thinkingSwitch, adapt, textCompletions = false, ...identity } = facts;
  const traitsOf = typeof traits === 'function' ? traits : () => traits ?? {};
  const shared: Pick<SurfaceOf<'openai-chat'>, 'operation' | 'authorize' | 'traits'> = {
    operation: 'chat',
    authorize: (apiKey): Record<string, string> =>
      apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    traits: (model, settings) => ({ ...COMMON, ...traitsOf(model), ...readDialectSettings(settings) }),
  };
  return defineProvider({
    ...identity,
    settings: dialectSettings,
    credential,
    versionPath,
    modelList: openAiModelList,
    models,
    ...omitUndefined({ realtime }),
    exchanges: [
      ...listOpenAiExchanges(
        exchanges,
        maxEmbeddingInputs === undefined ? {} : { traits: () => ({ maxInputs: maxEmbeddingInputs }) },
      ),
      ...otherExchanges,
    ].map(applyRoutingSetting),
    surfaces: [
      {
        ...shared,
        protocol: 'openai-chat',
        path: () => '/chat/completions',
        ...joinAdaptations(thinkingSwitch, adapt),
      },
      ...(textCompletions ? [{ ...shared, ...TEXT_COMPLETIONS }] : []),
    ],
  });
}

/** Exchanges carry the caller's choice of upstream models as chats do: where the channel's settings allow it. */
function applyRoutingSetting(surface: ExchangeSurface): ExchangeSurface {
  return {
    ...surface,
    traits: (model, settings) => ({
      ...surface.traits?.(model, settings),
      allowsUpstreamRouting: settings.allow_upstream_routing === true,
    }),
  };
}

/** No `adapt` at all where nothing changes: bodies then go out byte for byte. */
function joinAdaptations(
  thinkingSwitch: ThinkingSwitch | undefined,
  adapt: LookAlike['adapt'],
): { adapt?: (body: JsonObject) => JsonObject } {
  if (!thinkingSwitch) return adapt ? { adapt } : {};
  return {
    adapt: (body) => {
      const switched = switchThinking(body, thinkingSwitch);
      return adapt ? adapt(switched) : switched;
    },
  };
}
