/** What a protocol accepts as the name of a tool. */
export interface ToolNameRule {
  readonly pattern: RegExp;
  readonly maxLength: number;
}

const MARK = 'mgx_';

/**
 * A name that the protocol accepts, from which `restoreToolName` gets the original back without any memory: characters
 * outside letters, digits and `-` become `_` and their hexadecimal code. `undefined` when the result is too long.
 */
export function adaptToolName(name: string, rule: ToolNameRule): string | undefined {
  const fits = rule.pattern.test(name) && !name.startsWith(MARK);
  const adapted = fits ? name : MARK + name.replaceAll(/[^a-zA-Z0-9-]/g, escapeUnit);
  return adapted.length <= rule.maxLength ? adapted : undefined;
}

export function restoreToolName(name: string): string {
  if (!name.startsWith(MARK)) return name;
  return name
    .slice(MARK.length)
    .replaceAll(/_([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function escapeUnit(unit: string): string {
  return `_${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
