import { GatewayError, omitUndefined } from '@mg/contract';
import { hasTextOption, type JsonObject, labelSize, type VideoOrder } from '@mg/protocols';
import type { JobOrder } from './job-surface.js';

/** An order's fields by the names that callers know. */
const NAMES = {
  seconds: 'duration',
  image: 'image',
  lastImage: 'last_frame',
  referenceImages: 'images',
  size: 'size',
  ratio: 'ratio',
  resolution: 'resolution',
  fps: 'fps',
  seed: 'seed',
  negativePrompt: 'negative_prompt',
  audio: 'audio',
} as const;

export type VideoField = keyof typeof NAMES;

/** The request by the generic API; native bodies go to native surfaces only. */
export function takeOrder(order: JobOrder): VideoOrder {
  if (order.apiVariant === 'generic') return order.order;
  throw new GatewayError('invalid_request', 'this channel does not speak the native video API', {
    param: 'model',
  });
}

/** @throws GatewayError `invalid_request` that names the field. */
export function refuseVideoField(field: VideoField, reason: string): never {
  throw new GatewayError('invalid_request', `${NAMES[field]}: ${reason}`, { param: NAMES[field] });
}

/**
 * Refuses options within the prompt, such as `--dur 15`, where the model's maker reads them: they would change what is
 * made and what it costs.
 */
export function refuseTextOptions({ prompt }: VideoOrder): void {
  if (!hasTextOption(prompt)) return;
  throw new GatewayError('invalid_request', 'prompt: say options as fields, not as text', {
    param: 'prompt',
  });
}

/** Refuses fields that would change what is made, where a provider cannot do them. */
export function refuseVideoFields(order: VideoOrder, who: string, fields: readonly VideoField[]): void {
  const set = fields.find((field) => order[field] !== undefined);
  if (set !== undefined) refuseVideoField(set, `${who} has no such field`);
}

/** A value that is one of those a provider knows, or none at all. */
export function needOneOf<Value extends string | number>(
  field: VideoField,
  who: string,
  value: Value | undefined,
  allowed: readonly Value[],
): Value | undefined {
  if (value === undefined || allowed.includes(value)) return value;
  return refuseVideoField(field, `${who} takes ${allowed.join(', ')}`);
}

export function needSecondsWithin(who: string, seconds: number, fewest: number, most: number): number {
  if (seconds >= fewest && seconds <= most) return seconds;
  return refuseVideoField('seconds', `${who} takes ${fewest} to ${most} seconds`);
}

/** Names of the hints that were given and have no place at a provider. */
export function listDropped(order: VideoOrder, fields: readonly VideoField[]): string[] {
  return fields.filter((field) => order[field] !== undefined).map((field) => NAMES[field]);
}

/** Shape of a video as those providers know it that count no pixels. */
export interface VideoShape {
  readonly ratio: string | undefined;
  /** In lower case, such as `720p` or `4k`. */
  readonly resolution: string | undefined;
}

/**
 * The shape that an order asks for, its size taken apart into ratio and resolution.
 *
 * @throws GatewayError `invalid_request` when the size says something else than its neighbours.
 */
export function readShape(order: VideoOrder): VideoShape {
  const resolution = order.resolution?.toLowerCase();
  if (!order.size) return { ratio: order.ratio, resolution };
  const { width, height } = order.size;
  const divisor = findDivisor(width, height);
  const ratio = `${width / divisor}:${height / divisor}`;
  const label = labelSize(order.size);
  if (order.ratio !== undefined && order.ratio !== ratio) refuseVideoField('ratio', `the size is ${ratio}`);
  if (resolution !== undefined && resolution !== label) {
    refuseVideoField('resolution', `the size is ${label}`);
  }
  return { ratio, resolution: label };
}

function findDivisor(a: number, b: number): number {
  return b === 0 ? a : findDivisor(b, a % b);
}

/** A size that a provider can make, with the ratio and the resolution that it stands for. */
export type PixelSize = readonly [pixels: string, ratio: string, resolution: string];

/**
 * The pixels that an order asks for by its size, its ratio, its resolution or several of them: the first that fits.
 *
 * @throws GatewayError `invalid_request` naming the first field that no size fits.
 */
export function choosePixels(
  order: VideoOrder,
  who: string,
  sizes: readonly PixelSize[],
): string | undefined {
  const { size, ratio, resolution } = order;
  const wanted = [
    ['size', size && `${size.width}x${size.height}`],
    ['ratio', ratio],
    ['resolution', resolution?.toLowerCase()],
  ] as const;
  if (wanted.every(([, value]) => value === undefined)) return undefined;
  let fitting = sizes;
  for (const [column, [field, value]] of wanted.entries()) {
    const values = fitting.map((row) => row[column] ?? '');
    if (value === undefined) continue;
    fitting = fitting.filter((row) => row[column] === value);
    if (fitting.length === 0) refuseVideoField(field, `${who} takes ${[...new Set(values)].join(', ')}`);
  }
  return fitting[0]?.[0];
}

/** A body with the provider's own fields of an order beside those that are mapped, which they never change. */
export function addExtra(order: VideoOrder, body: JsonObject): JsonObject {
  return { ...order.extra, ...omitUndefined(body) };
}
