import type { AlertDelivery, AlertVia, ConsoleStore } from '@mg/persistence/console';
import type { AlertDestinations, Destinations } from './alert-destinations.js';
import { sendEmail } from './send-email.js';
import { sendWebhook } from './send-webhook.js';

const SUBJECT_LENGTH = 120;

/** Sends one message by one way, now. */
export class AlertSender {
  constructor(
    private readonly store: ConsoleStore,
    private readonly destinations: AlertDestinations,
  ) {}

  /** Where alerts go at the moment. */
  async open(): Promise<Destinations> {
    return this.destinations.open(await this.store.alerts.readSettings());
  }

  /** @throws Error when there is no such destination any more, or it does not take the message. */
  async send(
    { id, via, message }: Pick<AlertDelivery, 'id' | 'via' | 'message'>,
    { webhook, email }: Destinations,
  ): Promise<void> {
    const { allowPrivate, secrets } = this.destinations;
    if (via === 'webhook' && webhook) {
      await sendWebhook(webhook, { id: `msg_${id}`, message, secrets }, allowPrivate);
    } else if (via === 'email' && email) {
      const text = String(message['text']);
      const to = email.to.length > 0 ? email.to : await this.store.users.listAdministratorEmails();
      const subject = `Model Gateway: ${text.slice(0, SUBJECT_LENGTH)}`;
      await sendEmail(
        email,
        to,
        { subject, text: `${text}\n\n${JSON.stringify(message, null, 2)}\n` },
        allowPrivate,
      );
    } else throw new Error(`no ${via satisfies AlertVia} is set`);
  }
}
