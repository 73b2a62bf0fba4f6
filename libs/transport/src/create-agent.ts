import { Agent } from 'undici';

/**
 * Connections of HTTP/1.1 for requests that have no pool of their own. undici, left to itself, speaks HTTP/2 with every server that
 * offers it; what is wrong with that is in docs/decisions/0057-no-http2-to-upstreams.md.
 */
export function createAgent(options: Omit<Agent.Options, 'allowH2'> = {}): Agent {
  return new Agent({ ...options, allowH2: false });
}
