import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take minutes, the longest first: begun last, each would be waited for alone. */
const LONG_FILES = [
  'console-page.e2e.ts',
  'compose-stack.e2e.ts',
  'monolith.e2e.ts',
  'monolith-formats.e2e.ts',
  'attack.e2e.ts',
  'attack-wallet.e2e.ts',
  'outages.e2e.ts',
  'run-bench.e2e.ts',
  'realtime.e2e.ts',
  'usage-drill.e2e.ts',
  'workers.e2e.ts',
  'restore-drill.e2e.ts',
  'live.e2e.ts',
  'money-drill.e2e.ts',
  'attack-processes.e2e.ts',
];

/**
 * What bounds times, so that other tests beside it make it fail, or try again and again. `npm test` runs them last, when the
 * machine has nothing else to do (MEASURED=only), and leaves them out before (MEASURED=later); without MEASURED they are like
 * any others.
 */
const MEASURED_FILES = [
  'bench/src/run-bench.e2e.ts',
  'e2e/src/attack/attack.e2e.ts',
  'libs/planes/inference/src/call/count-worker.spec.ts',
  'libs/planes/inference/src/http/share-free-calls.spec.ts',
  'libs/planes/inference/src/operations/audio/recording-meter.spec.ts',
  'libs/planes/inference/src/operations/chat/convert-answer.spec.ts',
  'libs/planes/inference/src/operations/chat/large-requests.spec.ts',
  'libs/planes/inference/src/operations/realtime/handshake.spec.ts',
  'libs/protocols/src/canonical/call-ids.spec.ts',
  'libs/protocols/src/canonical/limit-answer.spec.ts',
  'libs/protocols/src/canonical/media-type.spec.ts',
  'libs/protocols/src/canonical/megabytes-of-blank-space.spec.ts',
  'libs/protocols/src/canonical/text-offsets.spec.ts',
  'libs/protocols/src/chat/long-arguments.spec.ts',
  'libs/protocols/src/chat/long-blocks.spec.ts',
  'libs/protocols/src/chat/name-conversation.spec.ts',
  'libs/protocols/src/realtime/read-server-event.spec.ts',
  'libs/protocols/src/same-for-every-reader.spec.ts',
  'libs/protocols/src/strict-json/in-slices.spec.ts',
  'libs/protocols/src/strict-json/json-scanner.spec.ts',
  'libs/protocols/src/strict-json/read-in-runs.spec.ts',
  'libs/protocols/src/survive-any-stream.spec.ts',
  'libs/protocols/src/survive-anything.spec.ts',
  'libs/protocols/src/video/native-conflicts.spec.ts',
  'libs/providers/src/sandbox/bounded-cost.spec.ts',
];

/** Run before, in a stage of its own. */
const START_FILE = 'tools/src/start.e2e.ts';

/** The files of a kind by their ending. */
function filesOf(ending: string) {
  const measured = process.env['MEASURED'];
  if (measured === 'only') return { include: MEASURED_FILES.filter((file) => file.endsWith(ending)) };
  const exclude = [
    ...configDefaults.exclude,
    ...(measured === 'later' ? [START_FILE, ...MEASURED_FILES] : []),
  ];
  return { include: [`**/*${ending}`], exclude };
}

/** In the order in which they are begun: unit tests last, which are short and never wait. */
const KINDS = ['e2e', 'integration', 'unit'];

class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // A worker that goes on with another project starts anew.
    const place = ({ moduleId, project }: TestSpecification) => {
      const index = LONG_FILES.findIndex((name) => moduleId.endsWith(`/${name}`));
      if (index >= 0) return index;
      return LONG_FILES.length + KINDS.indexOf(project.name);
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

const conditions = ['@mg/source', 'module', 'node', 'development|production'];
const shared = {
  resolve: { conditions },
  ssr: { resolve: { conditions } },
};
/** A condition is waited for as long as a machine that does ten other things may need. */
const waits = { poll: { timeout: 30_000 } };

/** Three kinds of test, told apart by the file's ending: unit (.spec.ts, no I/O), integration (.itest.ts, real Postgres and Redis), e2e (.e2e.ts, running planes). */
export default defineConfig({
  test: {
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          expect: waits,
          ...filesOf('.spec.ts'),
          environment: 'node',
          // Tests keep no state in modules; reading those once for all files saves a minute.
          isolate: false,
          // Limits, here and below, are for a machine that does ten other things.
          testTimeout: 240_000,
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: {
          name: 'integration',
          expect: waits,
          ...filesOf('.itest.ts'),
          environment: 'node',
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
          // Each file waits for its servers for most of the time.
          maxWorkers: 2,
        },
      },
      {
        ...shared,
        test: {
          name: 'e2e',
          expect: waits,
          ...filesOf('.e2e.ts'),
          environment: 'node',
          isolate: false,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          // Each file waits for its processes for most of the time.
          maxWorkers: 3,
        },
      },
    ],
  },
});
