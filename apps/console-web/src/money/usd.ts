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
 * An amount as people read it: to the last decimal that is not zero, cents at least, thousands set apart.
 *
 * @param options.isSigned writes a plus before what is more than nothing.
 */
export function showUsd(text: string, { isSigned = false }: { readonly isSigned?: boolean } = {}): string {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  const plus = isSigned && /[1-9]/.test(text) ? '+' : '';
  return `${sign === '-' ? '−' : plus}$${grouped}.${decimals.replace(/0+$/, '').padEnd(2, '0')}`;
}

/** How many decimals `showUsd` shows of an amount. */
export function countDecimals(text: string): number {
  const shown = showUsd(text);
  return shown.length - shown.indexOf('.') - 1;
}
