import { chooseVariant, GatewayError, type NanoUsd, type Price } from '@mg/contract';
import type { VideoCall } from './video-call.js';

/** Suffix of price variants for orders with a source video: `video`, `1080p/video`. */
const SOURCE_VIDEO = 'video';
const LABEL = /^(\d{1,5})p$/i;
const KILO_LABEL = /^(\d{1,2})k$/i;
const SIZE = /^(\d{1,5})x(\d{1,5})$/;
const LINES_OF_K = 540;

/** The shorter side that a variant's name states, in pixels: `720p`, `4k`, `1920x1080`. */
export function findHeight(name: string): number | undefined {
  const [, lines] = LABEL.exec(name) ?? [];
  if (lines !== undefined) return Number(lines);
  const [, kilo] = KILO_LABEL.exec(name) ?? [];
  if (kilo !== undefined) return Number(kilo) * LINES_OF_K;
  const [, width, height] = SIZE.exec(name) ?? [];
  return width === undefined ? undefined : Math.min(Number(width), Number(height));
}

/**
 * The variant of a price that an order is charged by; `undefined` for the price itself. A resolution without a variant is
 * never charged less than a smaller one: it costs the next larger variant or the price itself, whichever is more expensive.
 *
 * @param costOf what the order costs by a variant, in nano-dollars.
 * @throws GatewayError `model_not_priced` for a resolution above all that have a price, `invalid_request` for a source
 * video where the price has no variant for it.
 */
export function chooseVideoVariant(
  price: Price,
  call: Pick<VideoCall, 'variants' | 'height' | 'sourceVideo' | 'model'>,
  costOf: (variant: string | undefined) => NanoUsd,
): string | undefined {
  if (call.sourceVideo !== undefined) return needSourceVariant(price, call.variants, call.sourceVideo);
  const exact = chooseVariant(price, call.variants);
  if (exact !== undefined || call.height === undefined) return exact;
  const listed = [...(price.variants?.keys() ?? [])].flatMap((name) => {
    const height = findHeight(name);
    return height === undefined ? [] : [{ name, height }];
  });
  if (listed.length === 0) return undefined;
  return chooseUnlisted(call, listed, costOf);
}

function chooseUnlisted(
  { height, model, variants }: Pick<VideoCall, 'variants' | 'height' | 'model'>,
  listed: readonly { readonly name: string; readonly height: number }[],
  costOf: (variant: string | undefined) => NanoUsd,
): string | undefined {
  const own = costOf(undefined);
  const above = listed.filter((one) => height !== 'unknown' && one.height >= (height ?? 0));
  if (above.length === listed.length) return undefined;
  const next = above.toSorted((a, b) => a.height - b.height)[0];
  if (next) return costOf(next.name) > own ? next.name : undefined;
  // A price above that of every variant is meant for what has none.
  if (listed.every(({ name }) => costOf(name) < own)) return undefined;
  throw new GatewayError(
    'model_not_priced',
    `The model "${model}" has no price for the resolution ${variants.at(-1) ?? ''}.`,
    { param: 'resolution' },
  );
}

function needSourceVariant(price: Price, variants: readonly string[], place: string): string {
  const names = [...variants.map((name) => `${name}/${SOURCE_VIDEO}`), SOURCE_VIDEO];
  const variant = chooseVariant(price, names);
  if (variant !== undefined) return variant;
  throw new GatewayError(
    'invalid_request',
    `${place} is a video, whose length costs too, and the model has no price for that.`,
    { param: place },
  );
}
