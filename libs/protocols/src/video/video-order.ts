import type { JsonObject } from '../json.js';

/** The video that a remix is made of. Nobody but the account that made it has it. */
export interface RemixSource {
  /** Our id of it, as callers know it. */
  readonly videoId: string;
  /** The provider's. */
  readonly jobId: string;
  readonly channelId: string;
  /** SHA-256 of the channel's key that made it, where it has keys. */
  readonly keyHash?: string | undefined;
}

/** What a caller of the generic video API wants made, in fields that every provider's job surface can map. */
export interface VideoOrder {
  readonly prompt: string;
  /** Length in seconds; a provider that cannot make this length refuses and names those it can. */
  readonly seconds: number;
  /** First frame: an https or data URL. */
  readonly image?: string;
  /** Last frame: an https or data URL. */
  readonly lastImage?: string;
  /** Subjects to be kept, as https or data URLs. */
  readonly referenceImages?: readonly string[];
  /** Exact size in pixels, where the caller gave one. */
  readonly size?: { readonly width: number; readonly height: number };
  /** Aspect ratio as `<w>:<h>`, where the caller gave one. */
  readonly ratio?: string;
  /** A label such as `720p`. */
  readonly resolution?: string;
  readonly fps?: number;
  readonly seed?: number;
  readonly negativePrompt?: string;
  /** Whether the video is to have audio, where the caller set it. */
  readonly audio?: boolean;
  /** Makes the order one for a remix, which takes nothing but a prompt. */
  readonly remixOf?: RemixSource;
  /** Whether a hint that a provider has no place for is refused rather than left out. */
  readonly strict?: boolean;
  /** Fields of one provider that the generic API does not have; merged into its request as they are. */
  readonly extra?: JsonObject;
}

/** What a size is called: by its shorter side, such as `720p`, and `4k` from 2160 pixels on. */
export function labelSize({ width, height }: NonNullable<VideoOrder['size']>): string {
  const side = Math.min(width, height);
  return side >= 2_160 ? '4k' : `${side}p`;
}
