import type { ChannelTestPort, Environment, WalletPort } from '@mg/contract';
import { ConsoleStore, type SecretKey } from '@mg/persistence';
import { Registry } from '@mg/runtime';
import { type DynamicModule, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AuditController } from './audit/audit.controller.js';
import { AuthController } from './auth/auth.controller.js';
import { DeviceTokens } from './auth/device-tokens.js';
import { LoginLimits } from './auth/login-limits.js';
import { MeController } from './auth/me.controller.js';
import { SessionGuard } from './auth/session-guard.js';
import { SessionService } from './auth/session-service.js';
import { SessionTokens } from './auth/session-tokens.js';
import { ChannelKeys } from './channels/channel-keys.js';
import { ChannelService } from './channels/channel-service.js';
import { CHANNEL_TEST_PORT, ChannelTest } from './channels/channel-test.js';
import { ChannelTypesController } from './channels/channel-types.controller.js';
import { ChannelsController } from './channels/channels.controller.js';
import { ENVIRONMENT, HealthController } from './health/health.controller.js';
import { Readiness } from './health/readiness.js';
import { LogExportController } from './logs/log-export.controller.js';
import { LogReader } from './logs/log-reader.js';
import { LogsController } from './logs/logs.controller.js';
import { UsageController } from './logs/usage.controller.js';
import { CatalogController } from './models/catalog.controller.js';
import { ModelService } from './models/model-service.js';
import { ModelsController } from './models/models.controller.js';
import { PriceImportController } from './prices/price-import.controller.js';
import { PriceImportService } from './prices/price-import-service.js';
import { RedemptionController } from './redemption/redemption.controller.js';
import { RedemptionService } from './redemption/redemption-service.js';
import { SettingsController } from './settings/settings.controller.js';
import { SystemController } from './system/system.controller.js';
import { TasksController } from './tasks/tasks.controller.js';
import { TokenService } from './tokens/token-service.js';
import { TokensController } from './tokens/tokens.controller.js';
import { UserService } from './users/user-service.js';
import { UsersController } from './users/users.controller.js';
import { DefaultWallets } from './wallets/default-wallets.js';
import { WALLET_PORT } from './wallets/wallet-port.js';
import { WalletsController } from './wallets/wallets.controller.js';

/** What the console's services stand on. */
export interface ConsoleParts {
  readonly environment: Environment;
  readonly store: ConsoleStore;
  readonly wallets: WalletPort;
  readonly gateway: ChannelTestPort;
  readonly secretKey: SecretKey;
  readonly jwtSecret: string;
  readonly metrics: Registry;
}

@Module({})
export class ConsoleModule {
  static with(parts: ConsoleParts): DynamicModule {
    return {
      module: ConsoleModule,
      controllers: [
        AuthController,
        MeController,
        TokensController,
        WalletsController,
        LogsController,
        LogExportController,
        UsageController,
        TasksController,
        ChannelsController,
        ChannelTypesController,
        ModelsController,
        CatalogController,
        UsersController,
        AuditController,
        PriceImportController,
        RedemptionController,
        SettingsController,
        SystemController,
        HealthController,
      ],
      providers: [
        { provide: ENVIRONMENT, useValue: parts.environment },
        { provide: ConsoleStore, useValue: parts.store },
        { provide: WALLET_PORT, useValue: parts.wallets },
        { provide: CHANNEL_TEST_PORT, useValue: parts.gateway },
        { provide: ChannelKeys, useValue: new ChannelKeys(parts.secretKey) },
        {
          provide: SessionTokens,
          useValue: new SessionTokens(parts.jwtSecret, parts.environment.JWT_SECRET_PREVIOUS),
        },
        {
          provide: DeviceTokens,
          useValue: new DeviceTokens(parts.jwtSecret, parts.environment.JWT_SECRET_PREVIOUS),
        },
        { provide: Registry, useValue: parts.metrics },
        { provide: APP_GUARD, useClass: SessionGuard },
        LoginLimits,
        SessionService,
        DefaultWallets,
        TokenService,
        LogReader,
        ChannelService,
        ChannelTest,
        ModelService,
        UserService,
        RedemptionService,
        PriceImportService,
        Readiness,
      ],
    };
  }
}
