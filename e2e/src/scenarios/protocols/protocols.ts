import { describe } from 'vitest';
import type { Deployment } from '../../deployment/deployment.js';
import { describeAnswers } from './answers.js';
import { describeFailures } from './failures.js';
import { describeTools } from './tools.js';

/** Every official SDK to every channel. */
export function describeProtocols(get: () => Deployment): void {
  describe('protocols', () => {
    describeAnswers(get);
    describeTools(get);
    describeFailures(get);
  });
}
