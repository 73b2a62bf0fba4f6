import { AuditEntity } from './audit-repository.js';
import { ChannelEntity } from './channel-entities.js';
import { ModelEntity, PriceVersionEntity } from './model-entities.js';
import { RequestLogEntity } from './request-log-entity.js';
import { VideoTaskEntity, VideoTaskEventEntity } from './task-entities.js';
import { TokenEntity } from './token-entity.js';
import { UserEntity } from './user-entity.js';
import { EntryEntity, WalletEntity } from './wallet-entities.js';

/** Every table the console reads or writes through TypeORM's mapping. */
export const CONSOLE_ENTITIES = [
  UserEntity,
  AuditEntity,
  WalletEntity,
  EntryEntity,
  TokenEntity,
  ChannelEntity,
  ModelEntity,
  PriceVersionEntity,
  RequestLogEntity,
  VideoTaskEntity,
  VideoTaskEventEntity,
];
