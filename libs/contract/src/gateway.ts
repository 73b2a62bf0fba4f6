/** Patterns of the gateway plane's messages on Nest's Redis transport. */
export const GATEWAY_PATTERN = { channelTest: 'gateway.channel_test' } as const;

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

/** The door to whoever may use a channel's credentials. */
export interface ChannelTestPort {
  /** Tries a channel with one tiny real call. @throws GatewayError `service_unavailable` when no gateway answers. */
  testChannel(channelId: string, upstreamModel: string): Promise<ProbeOutcome>;
}
