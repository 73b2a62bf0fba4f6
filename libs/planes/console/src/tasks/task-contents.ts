import { GatewayError } from '@mg/contract';
import { checkLink, contentPath, proveLink, type TaskKey } from '@mg/protocols';
import type { GatewayFiles, OpenedFile, RangeRequest } from '@mg/transport';
import type { LinkQuery } from './task-schemas.js';

const SERVED = new Set([200, 206, 416]);
/** Videos that are read at the same time; each has a connection to the gateway. */
const MOST_OPEN = 64;
/** Of those, videos of one user: a player asks for some parts at a time. */
const MOST_OF_USER = 8;

/**
 * Videos of finished tasks, as the page plays them: by links of ours, since a player sends no session, and through the gateway,
 * which knows the result store and providers' credentials.
 */
export class TaskContents {
  readonly #openOf = new Map<string, number>();

  constructor(
    private readonly files: GatewayFiles,
    private readonly key: TaskKey,
  ) {}

  /** A link to a video for a user who may see its task. */
  link(publicId: string, userId: string): { readonly url: string; readonly expiresAt: Date } {
    const nowMs = Date.now();
    const proof = proveLink(publicId, this.key, nowMs);
    const { sig: user_sig } = proveLink(nameReader(publicId, userId), this.key, nowMs);
    const query = new URLSearchParams({ ...proof, user: userId, user_sig }).toString();
    return {
      url: `/api/v1/finished-videos/${publicId}?${query}`,
      expiresAt: new Date(Number(proof.expires) * 1_000),
    };
  }

  /**
   * Opens a video, or a part of it, for whoever has a link.
   *
   * @throws GatewayError `unauthenticated` without a link that works, `rate_limited` where its user reads too many, `not_found`, or
   *   `service_unavailable`.
   */
  async open(
    publicId: string,
    { expires = '', sig = '', user = '', user_sig = '' }: LinkQuery,
    requested: RangeRequest,
  ): Promise<OpenedFile> {
    const isValid = (name: string, signed: string) =>
      checkLink(name, { expires, sig: signed }, this.key, Date.now());
    if (!isValid(publicId, sig) || !isValid(nameReader(publicId, user), user_sig)) {
      throw new GatewayError('unauthenticated', 'The link is not valid any more.');
    }
    const close = this.#count(user);
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

  /** Counts a video that is read. @returns what ends that. */
  #count(user: string): () => void {
    const open = [...this.#openOf.values()].reduce((sum, count) => sum + count, 0);
    const ofUser = this.#openOf.get(user) ?? 0;
    if (ofUser >= MOST_OF_USER) {
      throw new GatewayError('rate_limited', 'You play too many videos at the moment.', { retryAfter: 5 });
    }
    if (open >= MOST_OPEN) {
      throw new GatewayError('service_unavailable', 'Too many videos are played at the moment.', {
        retryAfter: 5,
      });
    }
    this.#openOf.set(user, ofUser + 1);
    return () => {
      const rest = (this.#openOf.get(user) ?? 0) - 1;
      if (rest > 0) this.#openOf.set(user, rest);
      else this.#openOf.delete(user);
    };
  }
}

/** What a link is signed for beside its video; no id of a task has a space. */
function nameReader(publicId: string, userId: string): string {
  return `${userId} ${publicId}`;
}
