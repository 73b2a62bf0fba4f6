import { omitUndefined } from '@mg/contract';
import type { z } from 'zod';
import { checkObject } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { validate } from '../schema/validate.js';
import type { PlacedOption } from './read-native-content.js';
import { FRAMES_PER_SECOND, nativeVideoRequest } from './request-schema.js';
import type { TextOption } from './text-options.js';

const DEFAULT_SECONDS = 5;

/** Members that decide on what is made, what it costs and who is notified. */
const NAMES =
  'model content callback_url duration frames framespersecond resolution ratio seed camera_fixed watermark generate_audio draft service_tier tools'.split(
    ' ',
  );
/** Names that are refused, as no spelling but the one above is read: those that differ in case or signs alone, and these. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name) => [foldName(name), name] as const),
  ['dur', 'duration'],
  ['seconds', 'duration'],
  ['durationseconds', 'duration'],
  ['rs', 'resolution'],
  ['size', 'resolution'],
  ['rt', 'ratio'],
  ['aspectratio', 'ratio'],
  ['fps', 'framespersecond'],
]);

function foldName(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase();
  return plain.replaceAll(/[^\p{L}\p{N}]/gu, '');
}

/** What a native order says of what is made. */
export interface NativeFields {
  /** Seconds that the video has, which are charged. */
  readonly seconds: number;
  /** In lower case, such as `720p`. */
  readonly resolution: string | undefined;
  /** The members to send, each set once. */
  readonly explicit: JsonObject;
}

/**
 * Reads what decides on a video and its price, each set once: as a member, or as an option in a text.
 *
 * @throws GatewayError `invalid_request` naming the member.
 */
export function readNativeFields(
  parsed: JsonObject,
  options: ReadonlyMap<TextOption, PlacedOption>,
): NativeFields {
  refuseOtherNames(parsed, '', NAMES);
  refuseOtherNames(checkObject(parsed, 'metadata') ?? {}, 'metadata.', []);
  const said: Record<string, unknown> = {};
  for (const [name, option] of options) {
    if (parsed[name] !== undefined && parsed[name] !== null) {
      refuseField(name, 'is said twice: as a field and in a text');
    }
    said[name] = readOption(name, option);
  }
  const fields = validate(nativeVideoRequest, { ...parsed, ...said });
  const resolution = fields.resolution?.trim().toLowerCase();
  const length = readLength(fields);
  const { framespersecond: _, ...explicit } = said;
  return {
    seconds: length.seconds,
    resolution,
    explicit: { ...explicit, ...length.explicit, ...omitUndefined({ resolution }) },
  };
}

function refuseOtherNames(object: JsonObject, path: string, allowed: readonly string[]): void {
  for (const key of Object.keys(object)) {
    const name = OTHER_NAMES.get(foldName(key));
    if (name === undefined || allowed.includes(key)) continue;
    refuseField(path + key, `is not read: say ${name} at the top level of the body`);
  }
}

function readOption(name: TextOption, { value, param }: PlacedOption): unknown {
  switch (name) {
    case 'resolution':
    case 'ratio':
      return value;
    case 'camera_fixed':
    case 'watermark':
      if (/^(?:true|false)$/i.test(value)) return /^true$/i.test(value);
      return refuseField(param, `holds the option ${name}, which must be true or false`);
    default:
      if (/^-?\d{1,10}$/.test(value)) return Number(value);
      return refuseField(param, `holds the option ${name}, which must be an integer`);
  }
}

/** Length in seconds or in frames, never both; the one that was meant is sent, the usual one included. */
function readLength({ duration, frames }: z.output<typeof nativeVideoRequest>): {
  readonly seconds: number;
  readonly explicit: JsonObject;
} {
  if (frames === undefined || frames === null) {
    const seconds = duration ?? DEFAULT_SECONDS;
    return { seconds, explicit: { duration: seconds } };
  }
  if (duration !== undefined && duration !== null) refuseField('frames', 'must not stand beside duration');
  return { seconds: Math.ceil(frames / FRAMES_PER_SECOND), explicit: { frames } };
}
