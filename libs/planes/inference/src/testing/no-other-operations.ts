import type { VideoGateway } from '../operations/video/video-context.js';

/** Parts of a gateway that no chat asks. One that is new is named here, or given by each test. */
export const NO_OTHER_OPERATIONS = {} as Pick<
  VideoGateway,
  | 'video'
  | 'replies'
  | 'replyEnds'
  | 'account'
  | 'funds'
  | 'spool'
  | 'files'
  | 'uploads'
  | 'uploadLinks'
  | 'batches'
  | 'cachedContents'
>;
