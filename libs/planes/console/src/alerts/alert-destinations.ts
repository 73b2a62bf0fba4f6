import type { Environment } from '@mg/contract';
import {
  type AlertAddress,
  type AlertSettings,
  openAlertAddress,
  sealAlertAddress,
  type SecretKey,
} from '@mg/persistence/console';
import { deriveTaskKey, listWebhookSecrets } from '@mg/protocols';

/** Who named an address: what the environment names may lead anywhere, what the Console names to public addresses only. */
export type AddressSource = 'environment' | 'console';

export interface WebhookDestination {
  readonly url: string;
  readonly source: AddressSource;
}

export interface EmailDestination {
  readonly smtpUrl: string;
  readonly source: AddressSource;
  readonly from: string;
  /** Administrators when empty. */
  readonly to: readonly string[];
}

export interface Destinations {
  readonly webhook: WebhookDestination | undefined;
  readonly email: EmailDestination | undefined;
}

/** Takes the place of a token's id: webhooks to operators are signed with a secret of their own. */
const SIGNER = 'alerts';

/** Where alerts go: the addresses are sealed with the console's ENCRYPTION_KEY, and opened here to send. */
export class AlertDestinations {
  /** What webhooks are signed with: two while ENCRYPTION_KEY is being rotated. */
  readonly secrets: readonly string[];

  constructor(
    private readonly environment: Environment,
    private readonly secretKey: SecretKey,
    encryptionKey: string,
  ) {
    const key = deriveTaskKey(encryptionKey, environment.ENCRYPTION_KEY_PREVIOUS);
    this.secrets = listWebhookSecrets(SIGNER, key);
  }

  /** Whether URLs of the Console may lead to private addresses, too. */
  get allowPrivate(): boolean {
    return this.environment.ALLOW_PRIVATE_URLS;
  }

  seal(name: AlertAddress, url: string): string {
    return sealAlertAddress(name, url, this.secretKey);
  }

  /** @throws SecretError when an address was sealed with another ENCRYPTION_KEY. */
  open(settings: AlertSettings): Destinations {
    const { ALERT_WEBHOOK_URL: webhookUrl, SMTP_URL: smtpUrl } = this.environment;
    const webhook = this.#choose('webhook_url', settings.webhookSealed, webhookUrl);
    const email = this.#choose('smtp_url', settings.smtpSealed, smtpUrl);
    return {
      webhook,
      email: email && {
        smtpUrl: email.url,
        source: email.source,
        from: settings.emailFrom ?? chooseSender(email.url),
        to: settings.emailTo,
      },
    };
  }

  /** What may be shown of each address: where it leads, and no path, user or password. */
  show(settings: AlertSettings): Record<'webhook' | 'email', ShownAddress | null> {
    const { ALERT_WEBHOOK_URL: webhookUrl, SMTP_URL: smtpUrl } = this.environment;
    return {
      webhook: showAddress(settings.webhookHint, webhookUrl),
      email: showAddress(settings.smtpHint, smtpUrl),
    };
  }

  #choose(name: AlertAddress, sealed: string | null, ofEnvironment: string | undefined) {
    if (sealed !== null) {
      return { url: openAlertAddress(name, sealed, this.secretKey), source: 'console' } as const;
    }
    return ofEnvironment === undefined ? undefined : ({ url: ofEnvironment, source: 'environment' } as const);
  }
}

export interface ShownAddress {
  readonly source: AddressSource;
  readonly address: string;
}

/** Scheme, host and port of an address. */
export function hintAddress(url: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
}

function showAddress(hint: string | null, ofEnvironment: string | undefined): ShownAddress | null {
  if (hint !== null) return { source: 'console', address: hint };
  return ofEnvironment === undefined ? null : { source: 'environment', address: hintAddress(ofEnvironment) };
}

/** Most mail servers take mail only from whom they know: the user where that is an address. */
function chooseSender(smtpUrl: string): string {
  const { username, hostname } = new URL(smtpUrl);
  const user = decodeURIComponent(username);
  return user.includes('@') ? user : `model-gateway@${hostname}`;
}
