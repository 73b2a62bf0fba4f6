import { refuse } from '@mg/contract';
import { contentPath, proveLink, type TaskKey } from '@mg/protocols';
import { PassThroughs } from '@mg/runtime';
import type { GatewayFiles, OpenedFile, RangeRequest } from '@mg/transport';

const SERVED = new Set([200, 206, 416]);
const RATE_LIMITED = 429;
/** Videos that are read at the same time, by a user and in all; a player has one or two connections. */
const MOST_OPEN = { each: 8, total: 64 };

/** A video, and who plays it. */
interface PlayedVideo {
  readonly publicId: string;
  readonly userId: string;
}

/** Videos of finished tasks, read through the gateway, which knows the result store and providers' credentials. */
export class TaskContents {
  readonly #open = new PassThroughs(MOST_OPEN);

  constructor(
    private readonly files: GatewayFiles,
    private readonly key: TaskKey,
  ) {}

  /**
   * Opens a video, or a part of it, for somebody who may see it.
   *
   * @throws GatewayError `rate_limited` for whoever plays many at once, `not_found`, or `service_unavailable`.
   */
  async open({ publicId, userId }: PlayedVideo, requested: RangeRequest): Promise<OpenedFile> {
    const proof = proveLink(publicId, this.key, Date.now());
    const query = new URLSearchParams({ ...proof, inline: '1' }).toString();
    const file = await this.#open.open(userId, () =>
      this.#ask(`${contentPath(publicId)}?${query}`, requested),
    );
    if (SERVED.has(file.status)) return file;
    file.body.destroy();
    if (file.status === 404) throw refuse('not_found', 'no_finished_video');
    if (file.status === RATE_LIMITED) {
      throw refuse('rate_limited', 'many_videos', { retryAfter: 5 });
    }
    throw refuse('service_unavailable', 'video_gone');
  }

  async #ask(path: string, requested: RangeRequest): Promise<OpenedFile> {
    try {
      return await this.files.open(path, requested);
    } catch (cause) {
      throw refuse('service_unavailable', 'gateway_unreachable', { cause });
    }
  }
}
