import { splitPlanes } from './deployment/split-planes.js';
import { describeGateway } from './describe-gateway.js';

describeGateway(splitPlanes);
