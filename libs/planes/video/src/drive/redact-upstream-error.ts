import type { TaskError } from '@mg/contract';
import { scrubSecrets } from '@mg/runtime';

const MAX_CODE = 128;
const MAX_MESSAGE = 512;
/** Characters that are looked at. */
const MAX_READ = 16 * MAX_MESSAGE;

/** A provider's own words, fit for callers: one context, bounded, without anything that looks like a credential. */
export function redactUpstreamError({ code, message }: TaskError): TaskError {
  return { code: clean(code).slice(0, MAX_CODE), message: clean(message).slice(0, MAX_MESSAGE) };
}

function clean(words: string): string {
  return scrubSecrets(words.slice(0, MAX_READ)).replaceAll(/\s+/g, ' ').trim();
}
