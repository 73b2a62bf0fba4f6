import { setFlagsFromString } from 'node:v8';

/**
 * - What V8 compiled for objects of a call holds their hidden classes weakly. Of calls that have ended there are none, so that
 *   two collections of an idle process had V8 drop the compiled code of a whole call. The classes are kept for as many
 *   collections as this instead; there are as many of them as compiled code knows.
 * - A collection that an idle process begins by itself would drop them whatever that number is, when it is told to favour
 *   memory.
 * - Functions that did not run for some collections would be read again.
 */
const FLAGS = ['--retain-maps-for-n-gc=1000', '--no-memory-reducer-favors-memory', '--no-flush-bytecode'];

/**
 * Has V8 keep what it has compiled while a process is idle. Without it, a gateway that nobody had called for twenty seconds
 * compiled 370 functions again, and its next calls took three to five times the CPU: docs/decisions/0058-compiled-code.md.
 */
export function keepCompiledCode(): void {
  for (const flag of FLAGS) setFlagsFromString(flag);
}
