import { type DynamicModule, Module } from '@nestjs/common';
import { AlertsModule } from './alerts/alerts.module.js';
import { AuditModule } from './audit/audit.module.js';
import { AuthModule } from './auth/auth.module.js';
import { BudgetsModule } from './budgets/budgets.module.js';
import { CapturesModule } from './captures/captures.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { type ConsoleParts, ConsolePartsModule } from './console-parts.module.js';
import { HealthModule } from './health/health.module.js';
import { LedgerModule } from './ledger/ledger.module.js';
import { LogsModule } from './logs/logs.module.js';
import { InvitationsModule } from './invitations/invitations.module.js';
import { ModelsModule } from './models/models.module.js';
import { PricesModule } from './prices/prices.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { RedemptionModule } from './redemption/redemption.module.js';
import { SettingsModule } from './settings/settings.module.js';
import { SsoModule } from './sso/sso.module.js';
import { SystemModule } from './system/system.module.js';
import { TasksModule } from './tasks/tasks.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { UsersModule } from './users/users.module.js';
import { WalletsModule } from './wallets/wallets.module.js';

/** The Console's API: one module for each kind of row. */
@Module({
  imports: [
    AuthModule,
    SsoModule,
    UsersModule,
    WalletsModule,
    LedgerModule,
    ProjectsModule,
    InvitationsModule,
    TokensModule,
    BudgetsModule,
    ChannelsModule,
    ModelsModule,
    PricesModule,
    LogsModule,
    TasksModule,
    RedemptionModule,
    AuditModule,
    AlertsModule,
    CapturesModule,
    SettingsModule,
    SystemModule,
    HealthModule,
  ],
})
export class ConsoleModule {
  static with(parts: ConsoleParts): DynamicModule {
    return { module: ConsoleModule, imports: [ConsolePartsModule.with(parts)] };
  }
}
