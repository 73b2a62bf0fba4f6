import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Environment } from '@mg/contract';
import {
  decodeSlices,
  deriveImageKeys,
  type ImageKeys,
  type JoinedText,
  type NameAddress,
  signImageLink,
} from '@mg/protocols';
import { type Logger, PassThroughs } from '@mg/runtime';
import type { ResultStore } from '@mg/transport';
import { nextTurn } from '../edge/loop-turns.js';

/** How long a link works: longer than an answer is given again from the cache or for its Idempotency-Key. */
const LINK_SECONDS = 48 * 60 * 60;
/** A store that takes longer for the images of an answer is not waited for. */
const WRITE_WITHIN_MS = 30_000;
/** Nobody who began to read an image in time is cut off. */
const EXPIRE_AFTER_MS = 60 * 60 * 1_000;
/** Images that are read at the same time, by one address and in all: each takes a connection to the store. */
const MOST_SERVED = { each: 256, total: 1_024 };
export const IMAGE_PATH = '/v1/images/content';
/** Names of images begin so; those of videos never do. */
const IMAGE_PREFIX = 'img_';
const ENDINGS: Readonly<Record<string, string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
};

/** Images of one answer that get addresses of ours. */
export interface AnswerImages {
  readonly nameAddress: NameAddress;
  /** Writes them to the store. @returns whether all of them are there. */
  keep(): Promise<boolean>;
}

interface NamedImage {
  readonly name: string;
  readonly type: string;
  readonly base64: string | JoinedText;
}

/** Where images are kept for clients that want them by address, and how their links are signed. */
export class ImageLinks {
  readonly keys: ImageKeys;
  /** By address. */
  readonly served = new PassThroughs(MOST_SERVED);
  readonly #logger: Logger;
  readonly #withinMs: number;

  constructor(
    readonly store: ResultStore,
    { ENCRYPTION_KEY: key = '', ENCRYPTION_KEY_PREVIOUS: previous }: Partial<Environment>,
    logger: Logger,
    withinMs = WRITE_WITHIN_MS,
  ) {
    this.keys = deriveImageKeys(key, previous);
    this.#logger = logger;
    this.#withinMs = withinMs;
  }

  /** @param base the gateway's address, as the client reaches it. */
  open(base: string): AnswerImages {
    const named: NamedImage[] = [];
    const expires = Math.floor(Date.now() / 1_000) + LINK_SECONDS;
    return {
      nameAddress: (base64, type) => {
        const ending = ENDINGS[type];
        if (ending === undefined) return undefined;
        const name = `${IMAGE_PREFIX}${randomUUID()}.${ending}`;
        named.push({ name, type, base64 });
        return `${base}${IMAGE_PATH}/${name}?${signImageLink(name, expires, this.keys)}`;
      },
      keep: () => this.#keepAll(named),
    };
  }

  /** Deletes images whose links have ended. */
  async expire(): Promise<void> {
    await this.store.expire?.(IMAGE_PREFIX, LINK_SECONDS * 1_000 + EXPIRE_AFTER_MS);
  }

  async #keepAll(named: readonly NamedImage[]): Promise<boolean> {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error('The store takes too long.')), this.#withinMs);
    try {
      await Promise.race([this.#write(named), late]);
      return true;
    } catch (error) {
      this.#logger.warn(
        { err: error },
        'images are not in the result store: they are answered as data: URLs',
      );
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** One after another, each decoded in pieces between which others have their turn. */
  async #write(named: readonly NamedImage[]): Promise<void> {
    for (const { name, type, base64 } of named) {
      await nextTurn();
      const pieces: Buffer[] = [];
      let length = 0;
      for await (const piece of decodeSlices(base64, nextTurn)) {
        pieces.push(piece);
        length += piece.length;
      }
      await this.store.keep(name, type, Readable.from(pieces), length);
    }
  }
}
