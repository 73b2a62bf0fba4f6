import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeStreams } from '../spec/section-6-streams.js';
import { describeSpecification } from '../spec/specification.js';
import type { Deployment, DeploymentKind } from './deployment/deployment.js';
import { describeDocument, type WatchedDocument, watchDocument } from './document/describe-document.js';
import { describeAbort } from './scenarios/abort.js';
import { describeAccount } from './scenarios/account.js';
import { describeBatches } from './scenarios/batches.js';
import { describeConfigurationFile } from './scenarios/configuration-file.js';
import { describeConsoleChanges } from './scenarios/console-changes.js';
import { describeCrash } from './scenarios/crash.js';
import { describeParallelCalls } from './scenarios/parallel-calls.js';
import { describeErrors } from './scenarios/errors.js';
import { describeFailover } from './scenarios/failover.js';
import { describeGoogleImages } from './scenarios/google-images.js';
import { describeHostileInput } from './scenarios/hostile-input.js';
import { describeIdempotency } from './scenarios/idempotency.js';
import { describeImages } from './scenarios/images.js';
import { describeIsolation } from './scenarios/isolation.js';
import { describeKeys } from './scenarios/keys.js';
import { describeLastDollar } from './scenarios/last-dollar.js';
import { describeLedger } from './scenarios/ledger.js';
import { describeLimits } from './scenarios/limits.js';
import { describeLookAlikes } from './scenarios/look-alikes.js';
import { describeGoogleBatches } from './scenarios/google-batches.js';
import { describeNativeBatches } from './scenarios/native-batches.js';
import { describeMessageBatches } from './scenarios/message-batches.js';
import { describeOpenAiVideos } from './scenarios/openai-videos.js';
import { describeProtocols } from './scenarios/protocols/protocols.js';
import { describeSandbox } from './scenarios/sandbox.js';
import { describeSdkChat } from './scenarios/sdk-chat.js';
import { describeSdkTable } from './scenarios/sdk-table/sdk-table.js';
import { describeSecrets } from './scenarios/secrets.js';
import { describeService } from './scenarios/service.js';
import { describeSlowAnswers } from './scenarios/slow-answers.js';
import { describeAudio } from './scenarios/audio.js';
import { describeTexts } from './scenarios/texts.js';
import { describeCachedContents } from './scenarios/cached-contents.js';
import { describeFaults } from './scenarios/faults.js';
import { describeFileUploads } from './scenarios/file-uploads.js';
import { describeUploads } from './scenarios/uploads.js';
import { describeVideo } from './scenarios/video.js';

type DescribeScenario = (get: () => Deployment, kind: DeploymentKind) => void;

/** What a caller may write and read: the specification, and the formats of every protocol through its SDK. */
export const FORMAT_SCENARIOS: readonly DescribeScenario[] = [
  describeSpecification,
  describeService,
  describeSdkChat,
  describeSdkTable,
  describeProtocols,
  describeSecrets,
];

/** What the gateway does: each endpoint beside chat, money, failures and changes. Secrets are looked for after all the others. */
export const BEHAVIOUR_SCENARIOS: readonly DescribeScenario[] = [
  describeSandbox,
  describeTexts,
  describeAudio,
  describeUploads,
  describeImages,
  describeGoogleImages,
  describeCachedContents,
  describeVideo,
  describeIsolation,
  describeOpenAiVideos,
  describeKeys,
  describeErrors,
  describeLookAlikes,
  describeSlowAnswers,
  describeFailover,
  describeAbort,
  describeLedger,
  describeAccount,
  describeLastDollar,
  describeLimits,
  describeIdempotency,
  describeConsoleChanges,
  describeConfigurationFile,
  describeHostileInput,
  describeParallelCalls,
  describeMessageBatches,
  describeGoogleBatches,
  describeBatches,
  describeNativeBatches,
  describeFileUploads,
  describeCrash,
  describeSecrets,
];

/**
 * What depends on how the planes run: the ingress before them, several processes of one plane, what one process tells the
 * others, and their restarts.
 */
export const DEPLOYMENT_SCENARIOS: readonly DescribeScenario[] = [
  describeService,
  describeStreams,
  describeSdkChat,
  describeUploads,
  describeVideo,
  describeAbort,
  describeLastDollar,
  describeLimits,
  describeIdempotency,
  describeConsoleChanges,
  describeConfigurationFile,
  describeHostileInput,
  describeParallelCalls,
  describeBatches,
  describeCrash,
  describeFaults,
  describeSecrets,
];

/** Every scenario that there is, for planes as processes of their own. Secrets are looked for after all the others. */
export const ALL_SCENARIOS: readonly DescribeScenario[] = [
  ...[...FORMAT_SCENARIOS, ...BEHAVIOUR_SCENARIOS].filter((scenario) => scenario !== describeSecrets),
  describeFaults,
  describeSecrets,
];

/** Eleven processes on a machine that does other things too. */
const START_WITHIN_MS = 300_000;

/** Starts a deployment, runs scenarios against it, and sees that it ends as it should. */
export function describeGateway(kind: DeploymentKind, scenarios: readonly DescribeScenario[]): void {
  describe(`${kind.name}`, () => {
    let deployment: Deployment | undefined;
    let document: WatchedDocument | undefined;
    const get = (): Deployment => {
      if (!deployment) throw new Error(`${kind.name} did not start`);
      return deployment;
    };
    beforeAll(async () => {
      deployment = await kind.start();
      if (kind.isDirect) document = await watchDocument(deployment);
    }, START_WITHIN_MS);
    afterAll(async () => {
      document?.stop();
      await deployment?.stop();
    });

    for (const describeScenario of scenarios) describeScenario(get, kind);

    if (kind.isDirect) {
      describeDocument(() => {
        if (!document) throw new Error('nobody has watched the calls');
        return document.checker;
      });
    }

    describe('the end', () => {
      it('comes with exit code 0 for every process', async () => {
        const stopping = get();
        deployment = undefined;
        const codes = Object.values(await stopping.stop());
        expect(codes.length).toBeGreaterThan(0);
        expect(new Set(codes)).toEqual(new Set([0]));
      });
    });
  });
}
