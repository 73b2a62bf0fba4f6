import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';

/**
 * - V8 would let the heap grow to four times of what is alive before it collects it, into whatever memory the machine has: a
 *   thousand streams fit in 300 MB this way. It limits nothing: the heap still grows as large as what is alive wants it.
 * - A call runs through some thousand functions, and V8 optimises one after it has run 400 and 3,000 times: a gateway was
 *   slow for its first ten thousand calls. What a gateway runs, it runs for every call, so it is worth optimising at once.
 *
 * Figures: docs/decisions/0023-hot-path.md and 0058-compiled-code.md.
 */
const FLAGS = [
  '--heap-growing-percent=50',
  '--invocation-count-for-feedback-allocation=2',
  '--invocation-count-for-maglev=100',
  '--invocation-count-for-turbofan=1000',
];

/**
 * Small buffers are cut out of pools, each of which stays in memory as long as one of them is in use: the body of a request that
 * waits for the end of its stream would keep the 64 KB that Node takes by itself.
 */
const POOL_BYTES = 8 * 1024;

/** Sets what V8 and Node do for a gateway process, which NODE_OPTIONS does not accept. Is called before the process serves. */
export function tuneGateway(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
  Buffer.poolSize = POOL_BYTES;
}
