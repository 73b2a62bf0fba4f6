import { refuseField } from '../canonical/refuse.js';
import { SNAKE_NAMES } from '../strict-json/known-names.js';
import type { FormPart } from './exchange.js';

/** Fields that hold lists: they may come more than once, with or without brackets. */
const LISTS = new Set([
  'image',
  'include',
  'known_speaker_names',
  'known_speaker_references',
  'timestamp_granularities',
]);
/** Fields that hold objects, whose members SDKs write in brackets. */
const OBJECTS = new Set(['chunking_strategy', 'input_reference', 'metadata', 'character']);
const FILES = new Set(['file', 'image', 'mask', 'input_reference', 'data']);
/** Parsers read a backslash in a quoted name in two ways, and cut names at control characters. */
const ODD_CHARACTER = /[\\"\p{Cc}]/u;

/**
 * Refuses a form that two parsers could read differently: a field twice, a field that differs from a known one only in case
 * or by brackets, a file where a text belongs.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function checkFormNames(parts: readonly FormPart[]): void {
  const seen = new Set<string>();
  for (const { name, filename } of parts) {
    const field = name.replace(/\[.*$/s, '');
    const isList = LISTS.has(field);
    if (ODD_CHARACTER.test(name)) refuseField(name, 'holds a backslash, a quote or a control character');
    const known = SNAKE_NAMES.findOther(field.trim());
    if (known !== undefined) refuseField(name, `is another spelling of ${known}`);
    if (field !== field.trim()) refuseField(name, 'must not begin or end with a space');
    if (SNAKE_NAMES.has(field)) {
      if (field !== name && !isList && !OBJECTS.has(field)) refuseField(name, `must be written ${field}`);
      if (filename !== undefined && !FILES.has(field)) refuseField(name, 'must be a text and no file');
    }
    if (seen.has(name) && !isList) refuseField(name, 'is there twice');
    seen.add(name);
  }
}
