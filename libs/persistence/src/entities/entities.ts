import { AlertEntity, AlertSettingEntity } from './alert.js';
import { AuditEntity } from './audit-log.js';
import { ChannelCredentialEntity, ChannelEntity, ChannelSecretEntity } from './channel.js';
import { EntryEntity } from './entry.js';
import { ModelEntity, PriceVersionEntity } from './model.js';
import { PriceImportEntity } from './price-import.js';
import { RedemptionBatchEntity, RedemptionCodeEntity } from './redemption.js';
import { RequestLogEntity } from './request-log.js';
import { TokenEntity } from './token.js';
import { UserEntity } from './user.js';
import { WalletEntity } from './wallet.js';

/** Every configuration table, and the logs that are read by changing filters. Each table's columns are declared here alone. */
export const ENTITIES = [
  UserEntity,
  WalletEntity,
  TokenEntity,
  ChannelEntity,
  ChannelCredentialEntity,
  ChannelSecretEntity,
  ModelEntity,
  PriceVersionEntity,
  PriceImportEntity,
  RedemptionBatchEntity,
  RedemptionCodeEntity,
  AuditEntity,
  AlertEntity,
  AlertSettingEntity,
  RequestLogEntity,
  EntryEntity,
];
