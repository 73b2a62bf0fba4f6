export * from './choose-rates.js';
export * from './cost-of-call.js';
export * from './worst-case.js';
