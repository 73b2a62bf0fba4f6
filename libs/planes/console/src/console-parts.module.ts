import type { ChannelTestPort, Environment, WalletPort } from '@mg/contract';
import { ConsoleStore, type SecretKey } from '@mg/persistence/console';
import { Registry } from '@mg/runtime';
import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';
import { AlertDestinations } from './alerts/alert-destinations.js';
import { DeviceTokens } from './auth/device-tokens.js';
import { PasswordHasher } from './auth/password-hash.js';
import { SessionTokens } from './auth/session-tokens.js';
import { TotpCodes } from './auth/totp-codes.js';
import { CapturedBodyReader } from './captures/captured-body-reader.js';
import { ChannelKeys } from './channels/channel-keys.js';
import { CHANNEL_TEST_PORT } from './channels/channel-test.js';
import { ENVIRONMENT } from './health/health.controller.js';
import { SsoIssuer } from './sso/sso-issuer.js';
import { readSsoSettings } from './sso/sso-settings.js';
import { TaskContents } from './tasks/task-contents.js';
import { WALLET_PORT } from './wallets/wallet-port.js';

/** What the Console's services stand on: settings, secrets and the lines to other processes. */
export interface ConsoleParts {
  readonly environment: Environment;
  readonly store: ConsoleStore;
  readonly wallets: WalletPort;
  readonly gateway: ChannelTestPort;
  readonly secretKey: SecretKey;
  readonly destinations: AlertDestinations;
  readonly contents: TaskContents;
  readonly jwtSecret: string;
  readonly passwords: PasswordHasher;
  readonly metrics: Registry;
}

/** Gives every module of the Console what it stands on. */
@Global()
@Module({})
export class ConsolePartsModule {
  static with(parts: ConsoleParts): DynamicModule {
    const { environment, jwtSecret } = parts;
    const providers: Provider[] = [
      { provide: ENVIRONMENT, useValue: environment },
      { provide: ConsoleStore, useValue: parts.store },
      { provide: WALLET_PORT, useValue: parts.wallets },
      { provide: CHANNEL_TEST_PORT, useValue: parts.gateway },
      { provide: AlertDestinations, useValue: parts.destinations },
      { provide: CapturedBodyReader, useValue: new CapturedBodyReader(parts.secretKey) },
      { provide: TotpCodes, useValue: new TotpCodes(parts.secretKey) },
      { provide: ChannelKeys, useValue: new ChannelKeys(parts.secretKey) },
      { provide: SessionTokens, useValue: new SessionTokens(jwtSecret, environment.JWT_SECRET_PREVIOUS) },
      { provide: DeviceTokens, useValue: new DeviceTokens(jwtSecret, environment.JWT_SECRET_PREVIOUS) },
      { provide: SsoIssuer, useValue: new SsoIssuer(readSsoSettings(environment)) },
      { provide: PasswordHasher, useValue: parts.passwords },
      { provide: TaskContents, useValue: parts.contents },
      { provide: Registry, useValue: parts.metrics },
    ];
    return { module: ConsolePartsModule, providers, exports: providers };
  }
}
