import type { Channel } from '@mg/contract';
import { ProbeClaimStore } from '@mg/persistence/gateway';
import { type Lifecycle, type PlaneOptions, repeatEvery } from '@mg/runtime';
import type { DataSource } from 'typeorm';
import type { GatewayContext } from './call/gateway-context.js';
import { ChannelProber } from './operations/channel-test/channel-prober.js';
import { testChannel } from './operations/channel-test/test-channel.js';

const LOOK_EVERY_MS = 5_000;
/** A probe under way is not waited for when the process stops. */
const STOP_WITHIN_MS = 1_000;

/** Probes idle channels that ask for it, as long as the process runs. */
export function openProber(
  database: DataSource,
  gateway: GatewayContext,
  { logger }: Pick<PlaneOptions, 'logger'>,
  life: Lifecycle,
): void {
  const test = (channel: Channel, upstreamModel: string, apiKey: string | undefined) =>
    testChannel({ ...gateway, findChannel: async () => channel }, channel.id, upstreamModel, apiKey);
  const prober = new ChannelProber({ ...gateway, claims: new ProbeClaimStore(database), test });
  const probing = repeatEvery(
    LOOK_EVERY_MS,
    () => prober.look(),
    (error) => logger.warn({ err: error }, 'channels could not be probed'),
  );
  life.own('background', 'probes of channels', probing, STOP_WITHIN_MS);
}
