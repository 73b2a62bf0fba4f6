export * from './build-outgoing.js';
export * from './descriptor.js';
export * from './signing.js';
export * from './find-job-endpoint.js';
export * from './job-surface.js';
export * from './registry.js';
export * from './join-url.js';
