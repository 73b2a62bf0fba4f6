export type {
  BatchInput,
  BatchOrder,
  BatchProgress,
  BatchRequest,
  BatchResult,
  BatchSurface,
  BatchUpload,
} from './batch-surface.js';
export {
  addressKeptResponse,
  addressRealtime,
  buildOutgoing,
  chooseExchange,
  chooseRealtime,
  chooseSurface,
  findBaseUrl,
} from './build-outgoing.js';
export { findOwnBatches, type OwnBatches } from './find-own-batches.js';
export type {
  ExchangeSurface,
  ModelCard,
  Operation,
  ProviderDescriptor,
  PublishedFees,
  RealtimeCall,
  Surface,
  SurfaceCall,
} from './descriptor.js';
export { describeJobCall, findJobEndpoint, type JobEndpoint } from './find-job-endpoint.js';
export type {
  JobCall,
  JobMedia,
  JobOrder,
  JobReply,
  JobRequest,
  JobSurface,
  PollResult,
  RefusalKind,
  SubmitResult,
  UpstreamJob,
} from './job-surface.js';
export { onOneLineInSteps } from './on-one-line.js';
export { addressModelList, guessKind } from './model-list.js';
export { findProvider, listProviders, nameProvider } from './registry.js';
export type { OutgoingRequest, Settings, SigningContext } from './signing.js';
