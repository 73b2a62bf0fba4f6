import { monolith } from './deployment/monolith.js';
import { describeGateway, FORMAT_SCENARIOS } from './describe-gateway.js';

describeGateway(monolith, FORMAT_SCENARIOS);
