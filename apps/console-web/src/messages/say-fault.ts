import { enFaults, type FaultReason } from './en-faults.js';
import { zhRefusals } from './zh-refusals.js';
import type { Language } from './use-messages.js';

const WORDS = { en: enFaults, zh: zhRefusals } as const;
const SLOT = '{0}';

/** What is wrong with a field, for `sayFault`: a reason, and the value that stands in its words. */
export function fault(reason: FaultReason, value = ''): string {
  return `${reason} ${value}`.trim();
}

/** What a schema says of a field, in the words of a language; words that are no reason as they are. */
export function sayFault(written: string, language: Language): string {
  const [reason = '', value = ''] = written.split(' ');
  if (!Object.hasOwn(enFaults, reason)) return written;
  return WORDS[language][reason as FaultReason].replace(SLOT, value);
}
