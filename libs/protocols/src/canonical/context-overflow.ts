/** How upstreams say that a prompt is longer than the model can read. */
const OVERFLOW_MESSAGES =
  /prompt is too long|input is too long|maximum context length|context[_ ]length[_ ]exceeded|exceeds the maximum number of tokens|context window/i;

/** Whether a failure is about the length of the prompt: agents match on the wording of their own protocol to shorten it. */
export function isContextOverflow(message: string): boolean {
  return OVERFLOW_MESSAGES.test(message);
}
