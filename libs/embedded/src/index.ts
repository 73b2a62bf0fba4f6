export type { EmbeddedService } from './embedded-service.js';
export { findNginxBinary } from './nginx/find-nginx-binary.js';
export { startEmbeddedPostgres } from './postgres/start-embedded-postgres.js';
export { copyEmptyPostgres, startTemporaryPostgres } from './postgres/start-temporary-postgres.js';
export { findRedisBinary } from './redis/find-redis-binary.js';
export { startEmbeddedRedis } from './redis/start-embedded-redis.js';
export { startTemporaryRedis } from './redis/start-temporary-redis.js';
