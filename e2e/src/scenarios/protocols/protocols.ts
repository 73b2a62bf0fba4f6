import { describe } from 'vitest';
import type { Deployment } from '../../deployment/deployment.js';
import { describeAnswers } from './answers.js';
import { describeCodingAgents } from './coding-agents.js';
import { describeEachClient } from './each-client.js';
import { describeFailures } from './failures.js';
import { describeHints } from './hints.js';
import { describeMoves } from './moves.js';
import { describeTools } from './tools.js';

/** Every official SDK to every channel. */
export function describeProtocols(get: () => Deployment): void {
  describe('protocols', () => {
    describeAnswers(get);
    describeTools(get);
    describeMoves(get);
    describeFailures(get);
    describeEachClient(get);
    describeHints(get);
    describeCodingAgents(get);
  });
}
