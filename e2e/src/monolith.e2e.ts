import { monolith } from './deployment/monolith.js';
import { describeGateway } from './describe-gateway.js';

describeGateway(monolith);
