export * from './embedded-service.js';
export * from './postgres/start-embedded-postgres.js';
export * from './postgres/start-temporary-postgres.js';
export * from './redis/find-redis-binary.js';
export * from './redis/start-embedded-redis.js';
export * from './redis/start-temporary-redis.js';
export * from './server/find-program.js';
