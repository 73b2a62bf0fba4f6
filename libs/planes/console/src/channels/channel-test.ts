import { type ChannelTestPort, GatewayError, type ProbeOutcome } from '@mg/contract';
import type { ChannelRow } from '@mg/persistence/console';
import { Inject, Injectable } from '@nestjs/common';

export const CHANNEL_TEST_PORT = Symbol('ChannelTestPort');

/** Has a channel tried with one tiny real call, by a gateway: the console may not use a channel's keys. */
@Injectable()
export class ChannelTest {
  constructor(@Inject(CHANNEL_TEST_PORT) private readonly gateway: ChannelTestPort) {}

  /**
   * @throws GatewayError `invalid_request` when the channel does not serve the model asked for, `service_unavailable` when
   * no gateway answers.
   */
  async run(channel: ChannelRow, slug: string | undefined): Promise<ProbeOutcome> {
    const upstreamModel = findUpstreamModel(channel, slug);
    if (upstreamModel !== undefined) return this.gateway.testChannel(channel.id, upstreamModel);
    const message = 'The channel serves no model: add one to try it with.';
    return { ok: false, latency_ms: 0, status: null, message };
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
