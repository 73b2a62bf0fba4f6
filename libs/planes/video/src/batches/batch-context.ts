import type { BatchWork, StoredFiles } from '@mg/persistence/video';
import type { Counter, Logger } from '@mg/runtime';
import type { BatchGateway } from '@mg/transport';
import type { NativeParts } from './native/native-context.js';

/** What batches are carried out with. */
export interface BatchContext {
  readonly work: BatchWork;
  readonly files: StoredFiles;
  readonly gateway: BatchGateway;
  readonly native: NativeParts;
  /** Lines in progress at once, of all wallets together. */
  readonly concurrency: number;
  readonly lines: Counter<'outcome'>;
  readonly logger: Logger;
}
