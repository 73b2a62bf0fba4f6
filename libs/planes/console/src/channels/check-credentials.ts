import type { ProviderDescriptor, Settings } from '@mg/providers';
import { refuseField } from './field-problem.js';

/** What an HTTP header can carry of a key: visible ASCII, spaces inside (RFC 9110, section 5.5). */
const HEADER_TEXT = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL = /[\x00-\x1f\x7f]/;

/**
 * Checks that API keys can be sent. A line end that came along with a pasted key would otherwise make every call fail.
 * A provider that puts no key into a header may take the JSON text of a key file, line ends included.
 *
 * @throws FieldProblem naming `api_key`, or `api_keys[1]`.
 */
export function checkApiKeys(provider: ProviderDescriptor, keys: readonly string[] | undefined): void {
  keys?.forEach((key, index) => {
    if (HEADER_TEXT.test(key) || (isJsonObject(key) && takesKeyFile(provider, key))) return;
    throw refuseField(keys.length === 1 ? 'api_key' : `api_keys[${index}]`, 'not_visible_ascii');
  });
}

/** Checks that no setting holds a line end or another control character, but for JSON texts. @throws FieldProblem */
export function checkPlainSettings(settings: Settings): void {
  for (const [name, value] of Object.entries(settings)) {
    if (typeof value !== 'string' || !CONTROL.test(value) || isJsonObject(value)) continue;
    throw refuseField(`settings.${name}`, 'control_characters');
  }
}

/** Jobs alone always carry the key in a header. */
function takesKeyFile({ surfaces, exchanges = [] }: ProviderDescriptor, key: string): boolean {
  const call = { model: '', stream: false, settings: {} };
  const headers = [...surfaces, ...exchanges].flatMap(({ authorize }) => Object.values(authorize(key, call)));
  return surfaces.length > 0 && !headers.some((value) => value.includes(key));
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
