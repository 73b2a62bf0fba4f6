import type { JsonObject } from '../json.js';

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
