export { coversMeter, coversTier } from './choose-rates.js';
export { costOfCall } from './cost-of-call.js';
export {
  type CallBounds,
  isKnownBeforeCall,
  isPriced,
  listMissingPrices,
  outputTokensWithin,
  worstCaseOfCall,
  worstCaseOfUsage,
} from './worst-case.js';
