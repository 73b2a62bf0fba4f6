import type { Deployment } from '../deployment/deployment.js';
import type { ThreatId } from './threats.js';

/** How hard an attack is to be. */
export interface AttackSize {
  /** At full size, as `npm run attack` runs it; otherwise the short version that is part of the tests. */
  readonly full: boolean;
  /** Prints a figure that the attack measured. */
  say(line: string): void;
}

/** The running product that is attacked, and how hard. */
export interface AttackTarget extends AttackSize {
  readonly deployment: Deployment;
}

/** One attack that the product must withstand. */
export interface Attack<Target extends AttackSize = AttackTarget> {
  /** The threats that it stands for. */
  readonly threats: readonly ThreatId[];
  /** What must hold, such as `a free count never holds the event loop`. */
  readonly title: string;
  /** Takes a minute of waiting or an undisturbed machine, and is no part of the tests. */
  readonly fullSizeOnly?: true;
  /** Time limits in milliseconds; the default is one minute for both sizes. */
  readonly timeoutMs?: { readonly short: number; readonly full: number };
  /** @throws Error (an assertion) when the attack succeeds; its message says what the attack achieved. */
  run(target: Target): Promise<void>;
}
