import { monolith } from './deployment/monolith.js';
import { ALL_SCENARIOS, describeGateway } from './describe-gateway.js';

describeGateway(monolith, ALL_SCENARIOS);
