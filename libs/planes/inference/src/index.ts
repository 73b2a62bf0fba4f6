export * from './start-gateway.js';
export * from './start-inference-plane.js';
