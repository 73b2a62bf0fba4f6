/** How upstreams say that they will not answer because of what the content is. */
const REFUSAL_MESSAGES =
  /content[_ ](management |filtering |usage )?polic|content[_ ]filter|safety system|usage polic|(input|prompt|content|request) (was|has been|is) (flagged|blocked)|input was flagged|prohibited[_ ]content/i;

/** Whether a failure is about what the content is: another model may judge it otherwise. */
export function isContentRefusal(message: string): boolean {
  return REFUSAL_MESSAGES.test(message);
}
