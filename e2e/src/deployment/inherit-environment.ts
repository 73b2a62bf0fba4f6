/**
 * All that a process of the tests gets of the tests' own environment: where programs are, and what Node compiled before,
 * which saves a third of the work of a start.
 */
export function inheritEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, HOME, ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
