import { DEFAULT_TIMEOUTS, GatewayError } from '@mg/contract';
import { type ChannelRow, ConsoleStore, SecretError } from '@mg/persistence';
import { findProvider } from '@mg/providers';
import { scrubSecrets } from '@mg/runtime';
import { type ProbeOutcome, probeChannel } from '@mg/transport';
import { Injectable } from '@nestjs/common';
import { ChannelKeys } from './channel-keys.js';

const LONGEST_MESSAGE = 512;
const PROBE_TOTAL_MS = 30_000;

/** Tries a channel with one tiny real call and says what came of it. */
@Injectable()
export class ChannelTest {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
  ) {}

  /** @throws GatewayError `invalid_request` when the channel does not serve the model asked for. */
  async run(channel: ChannelRow, slug: string | undefined): Promise<ProbeOutcome> {
    const provider = findProvider(channel.type);
    const surface = provider?.surfaces[0];
    if (!provider || !surface) return failure(`There is no channel type "${channel.type}" in this version.`);
    const upstreamModel = findUpstreamModel(channel, slug);
    if (upstreamModel === undefined) return failure('The channel serves no model: add one to try it with.');
    let apiKeys: string[];
    try {
      apiKeys = await this.keys.read(this.store, channel.id);
    } catch (error) {
      if (error instanceof SecretError) return failure(error.message);
      throw error;
    }
    const outcome = await probeChannel({
      surface,
      baseUrl: channel.baseUrl ?? provider.defaultBaseUrl,
      versionPath: provider.versionPath,
      apiKey: apiKeys[0],
      upstreamModel,
      timeouts: {
        connectMs: channel.timeouts.connect_ms ?? DEFAULT_TIMEOUTS.connectMs,
        firstByteMs: PROBE_TOTAL_MS,
        idleMs: PROBE_TOTAL_MS,
        totalMs: PROBE_TOTAL_MS,
      },
    });
    return { ...outcome, message: hideSecrets(outcome.message, apiKeys) };
  }
}

function findUpstreamModel(channel: ChannelRow, slug: string | undefined): string | undefined {
  if (slug === undefined) return Object.values(channel.models)[0];
  const upstreamModel = channel.models[slug];
  if (upstreamModel !== undefined) return upstreamModel;
  throw new GatewayError('invalid_request', `model: the channel does not serve "${slug}".`, {
    param: 'model',
  });
}

function failure(message: string): ProbeOutcome {
  return { ok: false, latency_ms: 0, status: null, message };
}

/** Upstreams like to repeat a refused key in their message. */
function hideSecrets(message: string, apiKeys: readonly string[]): string {
  const hidden = apiKeys.reduce((text, key) => text.replaceAll(key, '[redacted]'), message);
  return scrubSecrets(hidden).slice(0, LONGEST_MESSAGE);
}
