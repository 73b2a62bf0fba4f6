import { type ChannelTestPort, type ModelListOutcome, omitUndefined, refuse } from '@mg/contract';
import { type ChannelRow, ConsoleStore, isUniqueViolation } from '@mg/persistence/console';
import { Inject, Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { addModel, nameSource } from '../models/add-model.js';
import { isSamePrice, setPrice } from '../models/set-price.js';
import { ChannelKeys } from './channel-keys.js';
import type { AddedModel, AddModels, OfferedModels } from './channel-model-schemas.js';
import { CHANNEL_TEST_PORT } from './channel-test.js';
import { toChannelView } from './channel-view.js';
import { describeOffer, findPublishedPrice } from './offered-models.js';

/** From a provider's list of models to models that can be called. */
@Injectable()
export class ChannelModels {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
    @Inject(CHANNEL_TEST_PORT) private readonly gateway: ChannelTestPort,
  ) {}

  /** @throws GatewayError `service_unavailable` when no gateway answers. */
  async discover(channel: ChannelRow): Promise<OfferedModels> {
    const outcome: ModelListOutcome = await this.gateway.listModels(channel.id);
    return describeOffer(this.store, channel, outcome);
  }

  /**
   * Has a channel serve models, and makes those that there are not, with their prices: all or none.
   *
   * @throws GatewayError `invalid_request` for a slug that is named twice; `conflict` when one was made meanwhile.
   */
  async add(caller: Caller, id: string, input: AddModels): Promise<void> {
    refuseRepeated(input.models);
    try {
      await this.store.transaction(async (store) => {
        const channel = found(await store.channels.findLocked(id));
        await makeModels(store, caller, channel.type, input.models);
        const added = Object.fromEntries(input.models.map(({ slug, name }) => [slug, name]));
        await store.channels.update(id, {
          models: { ...channel.models, ...added },
          ...omitUndefined({ enabled: input.enabled }),
        });
        const secrets = (await this.keys.describe(store, [id])).get(id);
        await recordChange(store, caller, {
          action: 'channel.change',
          targetId: id,
          before: toChannelView(channel, secrets),
          after: toChannelView(found(await store.channels.find(id)), secrets),
        });
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'model_pkey')) throw error;
      throw refuse('conflict', 'models_made_meanwhile', { param: 'models' });
    }
  }
}

async function makeModels(
  store: ConsoleStore,
  caller: Caller,
  type: string,
  models: readonly AddedModel[],
): Promise<void> {
  const slugs = models.map(({ slug }) => slug);
  const [rows, prices] = await Promise.all([
    store.models.findAll(slugs),
    store.models.findPricesInForce(slugs),
  ]);
  for (const { name, ...input } of models) {
    const source = findSource(caller, type, { ...input, name });
    const { slug, price } = input;
    if (!rows.has(slug)) await addModel(store, caller, { input, source });
    else if (price !== undefined && !prices.has(slug)) {
      await setPrice(store, { slug, price, source });
      await recordChange(store, caller, { action: 'model.change', targetId: slug, after: { price } });
    }
  }
}

/** A price that was taken over as it is published keeps its source. */
function findSource(caller: Caller, type: string, { name, kind, price }: AddedModel): string {
  const published = price && findPublishedPrice(type, { name, kind });
  return published && isSamePrice(published.price, price) ? published.source : nameSource(caller);
}

function refuseRepeated(models: readonly AddedModel[]): void {
  const repeated = models.find(({ slug }, at) => models.findIndex((other) => other.slug === slug) !== at);
  if (repeated === undefined) return;
  throw refuse('invalid_request', 'model_named_twice', { param: 'models', values: [repeated.slug] });
}
