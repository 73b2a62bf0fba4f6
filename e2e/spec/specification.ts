import { beforeAll, describe } from 'vitest';
import type { Deployment } from '../src/deployment/deployment.js';
import { type VideoJob, loseVideos, watchVideos } from './videos.js';
import { describeOperatorConsole } from './operator-console.js';
import { describeOperatorGateway } from './operator-gateway.js';
import { describeFields } from './section-2-fields.js';
import { describeStates } from './section-3-states.js';
import { describeEndpoints } from './section-4-endpoints.js';
import { describeAuthentication } from './section-5-authentication.js';
import { describeStreams } from './section-6-streams.js';
import { describeErrorTable } from './section-7-errors.js';
import { describeLimits } from './section-8-limits.js';
import { describeVersioning } from './section-9-versioning.js';

/** The specification and the operator contract as tests, section by section, each sentence with the number of its rule. */
export function describeSpecification(get: () => Deployment): void {
  describe('the specification', () => {
    let videos: Promise<readonly VideoJob[]>;
    let lost: Promise<readonly string[]>;
    beforeAll(() => {
      videos = watchVideos(get());
      lost = loseVideos(get());
      // Whoever asks for them is told of a failure; until then nobody listens.
      Promise.all([videos, lost]).catch(() => undefined);
    });
    describeFields(get);
    describeEndpoints(get);
    describeAuthentication(get);
    describeStreams(get);
    describeErrorTable(get);
    describeLimits(get);
    describeVersioning(get);
    describeOperatorGateway(get);
    describeOperatorConsole(get);
    describeStates(
      get,
      () => videos,
      () => lost,
    );
  });
}
