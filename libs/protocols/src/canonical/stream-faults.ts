import type { Fault } from './events.js';

/** The connection of the upstream ended before its reply did. */
export const TRUNCATED: Fault = {
  message: 'The upstream ended its answer before it was whole.',
  type: 'api_error',
  code: 'upstream_error',
};

/** An event of the upstream is not what its protocol says. */
export function garbled(what: string): Fault {
  return {
    message: `The upstream's stream cannot be read: ${what}.`,
    type: 'api_error',
    code: 'upstream_error',
  };
}
