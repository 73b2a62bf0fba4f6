export { createTestDatabase, startPreparedServices } from './test-database.js';
export { copyTestPostgres, startTestPostgres, startTestServices, type TestServices } from './services.js';
export { FakeBatchApis } from './upstream/batches/fake-batch-apis.js';
export { BEHAVIOURS } from './upstream/behaviours.js';
export { errorBody, FAILURES } from './upstream/failures.js';
export { writeFakeVideo } from './upstream/jobs/serve-video.js';
export { type FakeJobs, startFakeJobs } from './upstream/jobs/server.js';
export { MOST_REALTIME_TOKENS } from './upstream/realtime/realtime-session.js';
export { createGate } from './upstream/gate.js';
export type { UpstreamCall } from './upstream/meter.js';
export { type FakeUpstream, startFakeUpstream } from './upstream/server.js';
export { buildHoldRequest } from './money/build-hold-request.js';
export { buildTaskRequest } from './money/build-task-request.js';
export { seedCalls } from './growth/seed-calls.js';
export { seedManyRows } from './money/seed-many-rows.js';
export { type Payer, seedPayer, type StatementRunner } from './money/seed-payer.js';
export { type PassAnswers, type TcpProxy, createTcpProxy } from './network/tcp-proxy.js';
export { isObject, type Json, listObjects, readText } from './upstream/json.js';
export { findFreePorts } from './network/find-free-ports.js';
export { type FakeS3, startFakeS3 } from './network/start-fake-s3.js';
export {
  type Collector,
  type ExportedSpan,
  readAttribute,
  startCollector,
} from './network/start-collector.js';
export { makeCertificate } from './network/make-certificate.js';
export { OIDC_CLIENT, openTestIssuer, type TestIssuer } from './testing/open-test-issuer.js';
export { allowMs, readThreadMs, watchSlowness } from './slowness.js';
export { writeSilence } from './write-silence.js';
