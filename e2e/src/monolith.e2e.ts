import { monolith } from './deployment/monolith.js';
import { BEHAVIOUR_SCENARIOS, describeGateway } from './describe-gateway.js';

describeGateway(monolith, BEHAVIOUR_SCENARIOS);
