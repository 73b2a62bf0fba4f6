export * from './start-billing-plane.js';
