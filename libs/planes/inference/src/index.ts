export * from './start-inference-plane.js';
