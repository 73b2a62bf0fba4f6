export { startTestServices, type TestServices } from './services.js';
export type { AnswerShape } from './upstream/answer.js';
export type { Behaviour, Failure, StreamStyle, UsageStyle } from './upstream/behaviour.js';
export { BEHAVIOURS } from './upstream/behaviours.js';
export { errorBody, FAILURES } from './upstream/failures.js';
export { createGate, type Gate } from './upstream/gate.js';
export type { UpstreamCall } from './upstream/meter.js';
export { type FakeUpstream, type FakeUpstreamOptions, startFakeUpstream } from './upstream/server.js';
