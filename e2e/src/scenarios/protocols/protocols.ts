import { describe } from 'vitest';
import type { Deployment } from '../../deployment/deployment.js';
import { describeCodex } from './codex.js';
import { describeCodingAgents } from './coding-agents.js';
import { describeCounting } from './counting.js';
import { describeEachClient } from './each-client.js';
import { describeGeminiStreams } from './gemini-streams.js';
import { describeHints } from './hints.js';
import { describeMediaAndThoughts } from './media-and-thoughts.js';
import { describeProviderSwitch } from './provider-switch.js';
import { describeModelPaths } from './model-paths.js';
import { describeTextCompletions } from './text-completions.js';

/** What the protocols have beside the table of SDKs and channel types. */
export function describeProtocols(get: () => Deployment): void {
  describe('protocols', () => {
    describeProviderSwitch(get);
    describeEachClient(get);
    describeHints(get);
    describeMediaAndThoughts(get);
    describeCounting(get);
    describeGeminiStreams(get);
    describeModelPaths(get);
    describeTextCompletions(get);
    describeCodingAgents(get);
    describeCodex(get);
  });
}
