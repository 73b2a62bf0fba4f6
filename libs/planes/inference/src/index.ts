export * from './start-gateway.js';
export * from './start-inference-plane.js';
export * from './tune-gateway.js';
