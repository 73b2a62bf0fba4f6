import { refuseField } from './refuse.js';

/** What a protocol accepts as the name of a tool. */
export interface ToolNameRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
}

/** Of a name that is looked up, in characters: no protocol takes more than 128, and maps take time for each character of a key. */
export const LONGEST_NAME_READ = 1_024;

/** @throws GatewayError `invalid_request` for the name of a tool that no protocol takes. */
export function limitToolName(name: string, place: string): string {
  if (name.length > LONGEST_NAME_READ)
    refuseField(place, `must have at most ${LONGEST_NAME_READ} characters`);
  return name;
}

const MARK = 'mgx_';
/** No protocol takes longer names than this, in characters: a longer one was not adapted here. */
const LONGEST_NAME = 128;

/**
 * A name that the protocol accepts, from which `restoreToolName` gets the original back without any memory: characters
 * outside letters, digits and `-` become `_` and their hexadecimal code. `undefined` when the result is too long.
 */
export function adaptToolName(name: string, rule: ToolNameRule): string | undefined {
  // It only becomes longer.
  if (name.length > rule.maxLength) return undefined;
  const fits = rule.pattern.test(name) && !name.startsWith(MARK);
  const adapted = fits ? name : MARK + name.replaceAll(/[^a-zA-Z0-9-]/g, escapeUnit);
  return adapted.length <= rule.maxLength ? adapted : undefined;
}

export function restoreToolName(name: string): string {
  if (!name.startsWith(MARK) || name.length > LONGEST_NAME) return name;
  return name
    .slice(MARK.length)
    .replaceAll(/_([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function escapeUnit(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
