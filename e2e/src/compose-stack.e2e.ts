import { composeStack } from './deployment/compose-stack.js';
import { ALL_SCENARIOS, DEPLOYMENT_SCENARIOS, describeGateway } from './describe-gateway.js';
import { describeFaults } from './scenarios/faults.js';

/** `npm run e2e:compose` runs every scenario here too. */
const isWhole = process.env.E2E_SCENARIOS === 'all';

/** `npm run drill:stack` wants its planes killed and restarted, and nothing else. */
const isDrill = process.env.DRILL_ROUNDS !== undefined;
const scenarios = isWhole ? ALL_SCENARIOS : DEPLOYMENT_SCENARIOS;

describeGateway(composeStack, isDrill ? [describeFaults] : scenarios);
