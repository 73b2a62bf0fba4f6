import { findHeight } from './choose-video-variant.js';
import type { ApiVariant } from '@mg/contract';
import {
  type JsonObject,
  labelSize,
  readGenericVideoRequest,
  readNativeVideoRequest,
  stringifyInSlices,
} from '@mg/protocols';
import { nextTurn } from '../../edge/loop-turns.js';

/** An order of either video API, as far as both are treated alike. */
export interface VideoCall {
  readonly apiVariant: ApiVariant;
  readonly model: string;
  /** The order as it is kept, JSON. */
  readonly order: Buffer;
  readonly seconds: number;
  /** Names that a price variant for this order may have, the most precise first. */
  readonly variants: readonly string[];
  /** The shorter side of the video in pixels; `undefined` where the order does not say it, `unknown` for a label that says no number. */
  readonly height: number | 'unknown' | undefined;
  /** Place of a source video in the order, as `content[1]`: such an order has a price variant of its own. */
  readonly sourceVideo: string | undefined;
  readonly callbackUrl: string | undefined;
  readonly deadlineSeconds: number;
}

/** An order that has been read and not yet written down. */
export type ReadCall = Omit<VideoCall, 'order'> & { readonly order: object };

/** Writes an order down in steps, none of which takes long: it may hold megabytes of pictures. */
export async function writeOrder(call: ReadCall): Promise<VideoCall> {
  return { ...call, order: await stringifyInSlices(call.order, nextTurn) };
}

/** How long a task may take unless its order says otherwise. */
export const DEADLINE_SECONDS = 24 * 60 * 60;
/** Bounds of `execution_expires_after` in the native API. */
const SHORTEST_DEADLINE_SECONDS = 60;
const LONGEST_DEADLINE_SECONDS = 72 * 60 * 60;

/**
 * @param strict whether hints that a provider has no place for are refused rather than left out.
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readGenericCall(body: Buffer | JsonObject, strict = false): ReadCall {
  const { model, order, callbackUrl } = readGenericVideoRequest(body);
  const { size } = order;
  const resolution = order.resolution ?? (size && labelSize(size));
  return {
    apiVariant: 'generic',
    model,
    order: strict ? { ...order, strict } : order,
    seconds: order.seconds,
    variants: [...(size ? [`${size.width}x${size.height}`] : []), ...nameResolution(resolution)],
    height:
      size && order.resolution === undefined ? Math.min(size.width, size.height) : readHeight(resolution),
    sourceVideo: undefined,
    callbackUrl,
    deadlineSeconds: DEADLINE_SECONDS,
  };
}

/** @throws GatewayError `invalid_request` naming the field. */
export function readNativeCall(raw: Buffer): ReadCall {
  const { model, body, seconds, resolution, sourceVideo, callbackUrl } = readNativeVideoRequest(raw);
  const { execution_expires_after: expiry } = body;
  const isDeadline =
    typeof expiry === 'number' &&
    Number.isInteger(expiry) &&
    expiry >= SHORTEST_DEADLINE_SECONDS &&
    expiry <= LONGEST_DEADLINE_SECONDS;
  return {
    apiVariant: 'native',
    model,
    order: body,
    seconds,
    variants: nameResolution(resolution),
    height: readHeight(resolution),
    sourceVideo,
    callbackUrl,
    deadlineSeconds: isDeadline ? expiry : DEADLINE_SECONDS,
  };
}

function nameResolution(resolution: string | undefined): string[] {
  return resolution === undefined ? [] : [resolution, resolution.toLowerCase()];
}

/** `720p` is 720, `4k` is 2160. */
function readHeight(resolution: string | undefined): number | 'unknown' | undefined {
  if (resolution === undefined) return undefined;
  return findHeight(resolution) ?? 'unknown';
}
