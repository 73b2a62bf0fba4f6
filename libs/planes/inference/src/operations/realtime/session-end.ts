import type { GatewayError } from '@mg/contract';

/** Codes of RFC 6455, section 7.4.1. */
export const NORMAL_CLOSE = 1000;
export const GOING_AWAY = 1001;
const POLICY = 1008;
const FAILED = 1011;
const RESTART = 1012;

/** How a session ended, for its row in the log and for the metrics. */
export interface SessionEnd {
  readonly reason:
    | 'client_left'
    | 'upstream_closed'
    | 'upstream_lost'
    | 'refused'
    | 'idle'
    | 'expired'
    | 'drained'
    | 'failed';
  readonly error?: GatewayError;
}

/** The code that a client's session is closed with. */
export function codeOf({ reason, error }: SessionEnd): number {
  switch (reason) {
    case 'drained':
      return RESTART;
    case 'refused':
      return error?.code === 'service_unavailable' ? FAILED : POLICY;
    case 'upstream_lost':
    case 'failed':
      return FAILED;
    case 'idle':
    case 'expired':
      return GOING_AWAY;
    default:
      return NORMAL_CLOSE;
  }
}
