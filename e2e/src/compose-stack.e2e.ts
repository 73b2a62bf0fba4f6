import { composeStack } from './deployment/compose-stack.js';
import { describeGateway } from './describe-gateway.js';

describeGateway(composeStack);
