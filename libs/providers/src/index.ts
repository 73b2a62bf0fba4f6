export * from './descriptor.js';
export * from './registry.js';
