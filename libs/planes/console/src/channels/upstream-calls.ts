import { refuse } from '@mg/contract';
import { Injectable } from '@nestjs/common';
import { AttemptLimit } from '../auth/attempt-limit.js';
import type { Caller } from '../http/caller.js';

const CALLS_PER_MINUTE = { attempts: 60, windowMs: 60_000 };

/** How often somebody may have providers called from the Console. */
@Injectable()
export class UpstreamCalls {
  readonly #limit = new AttemptLimit(CALLS_PER_MINUTE);

  /** @throws GatewayError `rate_limited` beyond a call a second. */
  count(caller: Caller): void {
    const retryAfter = this.#limit.count(caller.id);
    if (retryAfter === undefined) return;
    throw refuse('rate_limited', 'too_many_tests', { retryAfter, values: [retryAfter] });
  }
}
