/**
 * Money is a count of nano-dollars (1e-9 USD) in a bigint. Decimal strings exist only at the edges:
 * YAML, JSON, pages. A float never holds money.
 */
export type NanoUsd = bigint;

export const NANO_PER_USD = 1_000_000_000n;

const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,9}))?$/;

/**
 * Reads a decimal USD string ("25.00", "0.000000001") as nano-dollars.
 *
 * @throws RangeError when the text is not a decimal number with at most nine digits on either side of the point.
 */
export function parseUsd(text: string): NanoUsd {
  const match = DECIMAL.exec(text);
  if (!match) {
    throw new RangeError(
      `"${text}" is not an amount in USD: write a decimal such as "0.25", at most 9 decimals`,
    );
  }
  const [, sign, whole = '0', fraction = ''] = match;
  const nano = BigInt(whole) * NANO_PER_USD + BigInt(fraction.padEnd(9, '0'));
  return sign === '-' ? -nano : nano;
}

/** Writes nano-dollars as the shortest exact decimal USD string: 1500000000n is "1.5", 0n is "0". */
export function formatUsd(amount: NanoUsd): string {
  const sign = amount < 0n ? '-' : '';
  const magnitude = amount < 0n ? -amount : amount;
  const fraction = (magnitude % NANO_PER_USD).toString().padStart(9, '0').replace(/0+$/, '');
  const whole = (magnitude / NANO_PER_USD).toString();
  return fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** US dollars as a number, for metrics and for comparing channels: never for what is charged. */
export function toUsdNumber(amount: NanoUsd): number {
  return Number(amount) / Number(NANO_PER_USD);
}

/** Divides two non-negative bigints, rounding up: the one rounding a line of a call gets. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return (dividend + divisor - 1n) / divisor;
}
