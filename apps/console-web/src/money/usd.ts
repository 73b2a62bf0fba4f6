/** USD in nano-dollars, as everywhere behind this page: sums of money are never taken of floating point numbers. */
const NANO_DIGITS = 9;
const NANO_PER_USD = 1_000_000_000n;

/** Nano-dollars of a decimal string such as "-0.0025". */
export function parseUsd(text: string): bigint {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d{1,9}))?$/.exec(text) ?? [];
  const amountNano = BigInt(whole) * NANO_PER_USD + BigInt(decimals.padEnd(NANO_DIGITS, '0'));
  return sign === '-' ? -amountNano : amountNano;
}

/** Decimal string of nano-dollars, without zeros at its end. */
export function formatUsd(amountNano: bigint): string {
  const size = amountNano < 0n ? -amountNano : amountNano;
  const decimals = String(size % NANO_PER_USD)
    .padStart(NANO_DIGITS, '0')
    .replace(/0+$/, '');
  return `${amountNano < 0n ? '-' : ''}${size / NANO_PER_USD}${decimals === '' ? '' : `.${decimals}`}`;
}

export function sumUsd(amounts: readonly string[]): string {
  return formatUsd(amounts.reduce((sum, amount) => sum + parseUsd(amount), 0n));
}

/**
 * An amount as people read it: at least cents, small ones down to the first decimals that say something.
 *
 * @param mostDecimals decimals at most; two significant ones unless told.
 */
export function showUsd(text: string, mostDecimals?: number): string {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const kept = decimals
    .slice(0, mostDecimals ?? countSignificantDecimals(whole, decimals))
    .replace(/0+$/, '');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${sign === '-' ? '−' : ''}$${grouped}.${kept.padEnd(2, '0')}`;
}

function countSignificantDecimals(whole: string, decimals: string): number {
  const zeros = /^0*/.exec(decimals)?.[0].length ?? 0;
  return whole === '0' ? Math.max(2, zeros + 2) : 2;
}
