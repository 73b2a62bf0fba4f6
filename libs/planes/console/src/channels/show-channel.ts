import { ConsoleStore } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { found } from '../http/found.js';
import { ChannelKeys } from './channel-keys.js';
import { type ShownChannel, toChannelView } from './channel-view.js';
import { findUncallableModels } from './uncallable-models.js';

/** A channel with what the models make of it. */
@Injectable()
export class ShowChannel {
  constructor(
    private readonly store: ConsoleStore,
    private readonly keys: ChannelKeys,
  ) {}

  /** @throws GatewayError `not_found` */
  async find(id: string): Promise<ShownChannel> {
    const channel = found(await this.store.channels.find(id));
    const secrets = await this.keys.describe(this.store, [id]);
    const uncallable = await findUncallableModels(this.store, [channel]);
    return { ...toChannelView(channel, secrets.get(id)), uncallable_models: uncallable(channel) };
  }
}
