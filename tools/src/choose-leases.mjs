import { fail } from './workspace.mjs';

const USAGE_EXIT_CODE = 2;

/**
 * `--leases on` and `--leases off` of a command: whether the gateways of everything that it starts admit calls in memory. Where
 * it is left out, the environment says so by LEASES.
 */
export function chooseLeases(leases) {
  if (leases === undefined) return;
  if (leases !== 'on' && leases !== 'off') fail('Give --leases on or off.', USAGE_EXIT_CODE);
  process.env.LEASES = leases;
}
