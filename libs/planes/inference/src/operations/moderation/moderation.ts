import { readModeration } from '@mg/protocols';
import { jsonExchange } from '../exchange/exchange-endpoint.js';

/** Whether texts and images are harmful. */
export const MODERATIONS = jsonExchange('/v1/moderations', readModeration);
