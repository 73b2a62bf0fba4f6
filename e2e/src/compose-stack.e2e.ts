import { composeStack } from './deployment/compose-stack.js';
import { ALL_SCENARIOS, DEPLOYMENT_SCENARIOS, describeGateway } from './describe-gateway.js';
import { describeFaults } from './scenarios/faults.js';

/** `npm run e2e:compose` runs every scenario here too; `npm run drill:stack` has planes killed and restarted, and nothing else. */
const CHOICES: Readonly<Record<string, typeof ALL_SCENARIOS>> = {
  all: ALL_SCENARIOS,
  faults: [describeFaults],
};

describeGateway(composeStack, CHOICES[process.env.E2E_SCENARIOS ?? ''] ?? DEPLOYMENT_SCENARIOS);
