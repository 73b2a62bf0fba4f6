export * from './open-database.js';
export * from './secrets/seal-api-keys.js';
export * from './secrets/seal-secret.js';
