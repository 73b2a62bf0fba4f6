import { GatewayError } from '@mg/contract';
import { checkLink, contentPath, proveLink, type TaskKey } from '@mg/protocols';
import type { GatewayFiles, OpenedFile, RangeRequest } from '@mg/transport';
import type { LinkQuery } from './task-schemas.js';

const SERVED = new Set([200, 206, 416]);
/** Videos that are read at the same time; each has a connection to the gateway. */
const MOST_OPEN = 64;

/**
 * Videos of finished tasks, as the page plays them: by links of ours, since a player sends no session, and through the gateway,
 * which knows the result store and providers' credentials.
 */
export class TaskContents {
  #open = 0;

  constructor(
    private readonly files: GatewayFiles,
    private readonly key: TaskKey,
  ) {}

  /** A link to a video for whoever may see its task. */
  link(publicId: string): { readonly url: string; readonly expiresAt: Date } {
    const proof = proveLink(publicId, this.key, Date.now());
    const query = new URLSearchParams({ ...proof }).toString();
    return {
      url: `/api/v1/finished-videos/${publicId}?${query}`,
      expiresAt: new Date(Number(proof.expires) * 1_000),
    };
  }

  /**
   * Opens a video, or a part of it, for whoever has a link.
   *
   * @throws GatewayError `unauthenticated` without a link that works, `not_found`, or `service_unavailable`.
   */
  async open(
    publicId: string,
    { expires = '', sig = '' }: LinkQuery,
    requested: RangeRequest,
  ): Promise<OpenedFile> {
    if (!checkLink(publicId, { expires, sig }, this.key, Date.now())) {
      throw new GatewayError('unauthenticated', 'The link is not valid any more.');
    }
    if (this.#open >= MOST_OPEN) {
      throw new GatewayError('service_unavailable', 'Too many videos are played at the moment.', {
        retryAfter: 5,
      });
    }
    this.#open += 1;
    const close = () => (this.#open -= 1);
    const query = new URLSearchParams({ expires, sig, inline: '1' }).toString();
    const file = await this.files
      .open(`${contentPath(publicId)}?${query}`, requested)
      .catch((cause: unknown) => {
        close();
        throw new GatewayError('service_unavailable', 'The gateway cannot be reached.', { cause });
      });
    file.body.once('close', close);
    if (SERVED.has(file.status)) return file;
    file.body.destroy();
    if (file.status === 404) throw new GatewayError('not_found', 'There is no finished video of this id.');
    throw new GatewayError(
      'service_unavailable',
      'The video is not at its provider any more, or cannot be fetched.',
    );
  }
}
