import type { ModelKind } from './catalog.js';

/** Patterns of the gateway plane's messages on Nest's Redis transport. */
export const GATEWAY_PATTERN = {
  channelTest: 'gateway.channel_test',
  modelList: 'gateway.model_list',
} as const;

/** What came of trying a channel. `status` is the upstream's, where it answered; the message holds no secret. */
export interface ProbeOutcome {
  readonly ok: boolean;
  readonly latency_ms: number;
  readonly status: number | null;
  readonly message: string;
}

export interface ChannelTestMessage {
  readonly channel_id: string;
  /** The upstream's name of the model. */
  readonly model: string;
}

/** Longest that a gateway tries a channel. */
export const CHANNEL_TEST_MS = 30_000;

export interface ModelListMessage {
  readonly channel_id: string;
}

/** A model as its provider lists it. */
export interface ListedModel {
  /** The provider's own name of it. */
  readonly name: string;
  /** What it does, where the list says so. */
  readonly kind?: ModelKind;
}

/** What came of asking a provider for its models. `supported` is false where its type has no list to ask for. */
export interface ModelListOutcome extends ProbeOutcome {
  readonly supported: boolean;
  readonly models: readonly ListedModel[];
}

/** Longest that a gateway waits for a provider's list of models. */
export const MODEL_LIST_MS = 15_000;

/** The door to whoever may use a channel's credentials. */
export interface ChannelTestPort {
  /** Tries a channel with one tiny real call. @throws GatewayError `service_unavailable` when no gateway answers. */
  testChannel(channelId: string, upstreamModel: string): Promise<ProbeOutcome>;
  /** Asks a channel's provider which models there are. @throws GatewayError `service_unavailable` when no gateway answers. */
  listModels(channelId: string): Promise<ModelListOutcome>;
}
