import { scrubSecrets } from '@mg/runtime';

/** Names of members whose values are credentials, whatever they look like. */
const NAMES =
  'authorization|proxy-authorization|cookie|set-cookie|x-api-key|api[-_]?key|apikey|access[-_]?key|secret[-_]?access[-_]?key|(?:access|refresh|id|auth|bearer|session)[-_]?token|client[-_]?secret|secret|password|passwd|private[-_]?key';

/** A member with a text as its value, also at a cut end. */
const MEMBER = new RegExp(String.raw`("(?:${NAMES})"\s{0,8}:\s{0,8}")(?:[^"\\]|\\[^])*`, 'gi');

/** How a quote is escaped in a text that holds JSON itself. Bounded, or a run of backslashes would take forever. */
const QUOTE = String.raw`\\{1,7}"`;
const MEMBER_IN_TEXT = new RegExp(
  String.raw`(${QUOTE}(?:${NAMES})${QUOTE}\s{0,8}:\s{0,8}${QUOTE})(?:[^"\\]|\\[^"])*`,
  'gi',
);

/** Takes out of a body what looks like a credential, or is named like one. */
export function redactBody(text: string): string {
  const named = text.replace(MEMBER, '$1[redacted]').replace(MEMBER_IN_TEXT, '$1[redacted]');
  return scrubSecrets(named);
}
