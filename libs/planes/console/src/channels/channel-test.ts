import { type ChannelTestPort, omitUndefined, readPhrases, refuse } from '@mg/contract';
import { type ChannelRow, ConsoleStore } from '@mg/persistence/console';
import { Inject, Injectable } from '@nestjs/common';
import type { z } from 'zod';
import type { ChannelTestRequest, channelTestAnswerSchema } from './channel-schemas.js';
import { findUncallableModels } from './uncallable-models.js';

export const CHANNEL_TEST_PORT = Symbol('ChannelTestPort');

export type ChannelTestAnswer = z.output<typeof channelTestAnswerSchema>;

/** Has a channel tried with one tiny real call, by a gateway: the console may not use a channel's keys. */
@Injectable()
export class ChannelTest {
  constructor(
    private readonly store: ConsoleStore,
    @Inject(CHANNEL_TEST_PORT) private readonly gateway: ChannelTestPort,
  ) {}

  /**
   * @throws GatewayError `invalid_request` when the channel does not serve the model asked for, `service_unavailable` when
   * no gateway answers.
   */
  async run(channel: ChannelRow, request: ChannelTestRequest): Promise<ChannelTestAnswer> {
    const tested = findTested(channel, request);
    if (tested === undefined) {
      const message = 'The channel serves no model: add one to try it with.';
      return {
        ok: false,
        latency_ms: 0,
        status: null,
        message,
        message_phrases: readPhrases(message),
        refused_because: 'not_served',
      };
    }
    const outcome = await this.gateway.testChannel(channel.id, tested.upstreamModel);
    const refused = await this.#findRefusal(channel, tested.slug);
    return {
      ...outcome,
      ...omitUndefined({
        message_phrases: outcome.ok ? undefined : readPhrases(outcome.message),
        refused_because: refused,
      }),
    };
  }

  /** Why calls to a model would not get to the channel, whatever it answers here. */
  async #findRefusal(
    channel: ChannelRow,
    slug: string | undefined,
  ): Promise<ChannelTestAnswer['refused_because']> {
    if (slug === undefined) return 'not_served';
    if (!channel.enabled) return 'channel_disabled';
    const uncallable = (await findUncallableModels(this.store, [channel]))(channel);
    return uncallable.find((model) => model.slug === slug)?.reason;
  }
}

interface TestedModel {
  readonly upstreamModel: string;
  /** `undefined` for a model that the channel does not serve. */
  readonly slug: string | undefined;
}

function findTested(channel: ChannelRow, { model, name }: ChannelTestRequest): TestedModel | undefined {
  const served = Object.entries(channel.models);
  if (name !== undefined) {
    return { upstreamModel: name, slug: served.find(([, upstream]) => upstream === name)?.[0] };
  }
  if (model === undefined) {
    const [first] = served;
    return first && { slug: first[0], upstreamModel: first[1] };
  }
  const upstreamModel = channel.models[model];
  if (upstreamModel !== undefined) return { slug: model, upstreamModel };
  throw refuse('invalid_request', 'model_not_served', { param: 'model', values: [model] });
}
