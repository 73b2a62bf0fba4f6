import { checkCount, checkFlag, checkList, checkObject, checkText } from '../canonical/check-fields.js';
import { refuseField } from '../canonical/refuse.js';
import type { JsonObject } from '../json.js';
import { isRatio } from './read-generic-request.js';
import type { PlacedOption } from './read-native-content.js';
import type { TextOption } from './text-options.js';

const DEFAULT_SECONDS = 5;
const FEWEST_SECONDS = 4;
const MOST_SECONDS = 15;
/** The rate of every model of the native API; another one would be another price. */
const FRAMES_PER_SECOND = 24;
/** `flex` costs less at the provider and takes longer; both are charged alike. */
const TIERS = ['default', 'flex'];

/** Members that decide on what is made, what it costs and who is told. */
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
  /** The members to send, each said once. */
  readonly explicit: JsonObject;
}

/**
 * Reads what decides on a video and its price, each said once: as a member, or as an option in a text.
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
  const fields = { ...parsed, ...said };
  refuseUnpriced(fields);
  checkRatio(fields);
  const resolution = readResolution(fields);
  const length = readLength(fields);
  const { framespersecond: _, ...explicit } = said;
  return {
    seconds: length.seconds,
    resolution,
    explicit: { ...explicit, ...length.explicit, ...(resolution === undefined ? {} : { resolution }) },
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

/** What costs extra at the provider and has no price here. */
function refuseUnpriced(fields: JsonObject): void {
  checkFlag(fields, 'draft');
  checkFlag(fields, 'generate_audio');
  const rate = checkCount(fields, 'framespersecond');
  if (rate !== undefined && rate !== FRAMES_PER_SECOND) {
    refuseField('framespersecond', `must be ${FRAMES_PER_SECOND}`);
  }
  const tier = checkText(fields, 'service_tier');
  if (tier !== undefined && !TIERS.includes(tier)) {
    refuseField('service_tier', `must be one of ${TIERS.join(', ')}: others have no price`);
  }
  if (checkList(fields, 'tools').length > 0) refuseField('tools', 'have no price');
}

function readResolution(fields: JsonObject): string | undefined {
  const resolution = checkText(fields, 'resolution')?.trim().toLowerCase();
  if (resolution === undefined || /^[a-z\d]{1,16}$/.test(resolution)) return resolution;
  return refuseField('resolution', 'must be a label such as 720p');
}

function checkRatio(fields: JsonObject): void {
  const ratio = checkText(fields, 'ratio');
  if (ratio === undefined || ratio === 'adaptive' || isRatio(ratio)) return;
  refuseField('ratio', 'must be <w>:<h>, such as 16:9, or adaptive');
}

/** Length in seconds or in frames, never both; the one that was meant is sent, the usual one included. */
function readLength(fields: JsonObject): { readonly seconds: number; readonly explicit: JsonObject } {
  const { duration } = fields;
  const frames = checkCount(fields, 'frames');
  if (frames === undefined) {
    const seconds = duration === undefined || duration === null ? DEFAULT_SECONDS : checkSeconds(duration);
    return { seconds, explicit: { duration: seconds } };
  }
  if (duration !== undefined && duration !== null) refuseField('frames', 'must not stand beside duration');
  return { seconds: countFrames(frames), explicit: { frames } };
}

function countFrames(frames: number): number {
  const seconds = Math.ceil(frames / FRAMES_PER_SECOND);
  if (seconds >= 1 && seconds <= MOST_SECONDS) return seconds;
  return refuseField('frames', `must be from 1 to ${MOST_SECONDS * FRAMES_PER_SECOND}`);
}

function checkSeconds(value: unknown): number {
  const isInRange =
    typeof value === 'number' && Number.isInteger(value) && value >= FEWEST_SECONDS && value <= MOST_SECONDS;
  if (isInRange) return value;
  return refuseField('duration', `must be an integer of seconds from ${FEWEST_SECONDS} to ${MOST_SECONDS}`);
}
