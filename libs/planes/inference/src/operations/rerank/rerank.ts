import { readRerank } from '@mg/protocols';
import { jsonExchange } from '../exchange/exchange-endpoint.js';

/** Documents by their relevance to a query. */
export const RERANK = jsonExchange('/v1/rerank', readRerank);
