import { omitUndefined, refuse } from '@mg/contract';
import { type AlertAddress, type AlertSettings, ConsoleStore } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import type { z } from 'zod';
import { type Actor, recordChange } from '../audit/record-change.js';
import { AlertDestinations, hintAddress } from './alert-destinations.js';
import { changeRules, readRules } from './alert-rules.js';
import type { alertSettingsSchema, AlertSettingsPatch } from './alert-schemas.js';

export type AlertSettingsView = z.output<typeof alertSettingsSchema>;

const TARGET = 'alerts';

/** What operators are alerted of, and where to. */
@Injectable()
export class AlertSettingsService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly destinations: AlertDestinations,
  ) {}

  async show(): Promise<AlertSettingsView> {
    return this.#view(await this.store.alerts.readSettings());
  }

  /** Changes what the input names and nothing else. @throws GatewayError `invalid_request` for an address that is none. */
  async change(actor: Actor, input: AlertSettingsPatch): Promise<AlertSettingsView> {
    return this.store.transaction(async (store) => {
      const stored = await store.alerts.readSettingsLocked();
      const before = this.#view(stored);
      await store.alerts.saveSettings(
        omitUndefined({
          rules: input.rules && changeRules(readRules(stored.rules), input.rules),
          ...this.#seal('webhook_url', input.webhook_url, ['webhookSealed', 'webhookHint']),
          ...this.#seal('smtp_url', input.smtp_url, ['smtpSealed', 'smtpHint']),
          emailFrom: input.email_from,
          emailTo: input.email_to,
        }),
      );
      const after = this.#view(await store.alerts.readSettings());
      await recordChange(store, actor, {
        action: 'alert_settings.change',
        targetId: TARGET,
        before,
        // Another path or password at the same host is a change as well.
        after: {
          ...after,
          ...omitUndefined({
            webhook_url: input.webhook_url ? 'set' : undefined,
            smtp_url: input.smtp_url ? 'set' : undefined,
          }),
        },
      });
      return after;
    });
  }

  #seal(
    name: AlertAddress,
    url: string | null | undefined,
    [sealed, hint]: readonly [keyof AlertSettings, keyof AlertSettings],
  ): Partial<AlertSettings> {
    if (url === undefined) return {};
    if (url === null) return { [sealed]: null, [hint]: null };
    refuseUserOfWebhook(name, url);
    return { [sealed]: this.destinations.seal(name, url), [hint]: hintAddress(url) };
  }

  #view(settings: AlertSettings): AlertSettingsView {
    return {
      rules: readRules(settings.rules),
      ...this.destinations.show(settings),
      email_from: settings.emailFrom,
      email_to: settings.emailTo,
    };
  }
}

/** Such an address is refused when a message is sent: it is better said at once. */
function refuseUserOfWebhook(name: AlertAddress, url: string): void {
  const { username, password } = new URL(url);
  if (name !== 'webhook_url' || (username === '' && password === '')) return;
  throw refuse('invalid_request', 'user_in_address', { param: 'webhook_url' });
}
