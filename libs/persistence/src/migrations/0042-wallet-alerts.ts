import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Below how much a wallet is told as low, in nano-dollars; null for what the alert rule says of every wallet. */
export class WalletAlerts0042 implements Migration {
  readonly name = 'WalletAlerts1763700000042';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table wallet add column alert_below bigint constraint wallet_alert_below check (alert_below >= 0)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table wallet drop column alert_below');
  }
}
