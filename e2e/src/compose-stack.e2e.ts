import { composeStack } from './deployment/compose-stack.js';
import { ALL_SCENARIOS, DEPLOYMENT_SCENARIOS, describeGateway } from './describe-gateway.js';

/** `npm run e2e:compose` runs every scenario here too. */
const isWhole = process.env.E2E_SCENARIOS === 'all';

describeGateway(composeStack, isWhole ? ALL_SCENARIOS : DEPLOYMENT_SCENARIOS);
