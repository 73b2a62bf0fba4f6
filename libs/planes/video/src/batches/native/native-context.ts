import type { Catalog, Channel } from '@mg/contract';
import type { UpstreamBatches } from '@mg/persistence/video';
import type { JobHttp } from '@mg/transport';

/** What lines are carried out with that go to providers as batches of their own. */
export interface NativeParts {
  readonly upstream: UpstreamBatches;
  readonly catalog: () => Catalog;
  /** A channel by its id, disabled ones included. */
  findChannel(id: string): Promise<Channel | undefined>;
  readonly http: Pick<JobHttp, 'send' | 'open'>;
}
