export * from './open-database.js';
