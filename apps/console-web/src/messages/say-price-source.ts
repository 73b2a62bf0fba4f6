/** Where the API says a price is from, but for price data, which has a name of its own. */
const PATTERNS = {
  file: /^configuration file$/,
  card: /^model card: (.*)$/,
  console: /^console: (.*)$/,
} as const;

/** Words for each of these; `{0}` stands for whose it is. */
export type PriceSources = Readonly<Record<keyof typeof PATTERNS, string>>;

/** Where a price is from, in words. What is none of these, as the name of a file of prices, is shown as it is. */
export function sayPriceSource(words: PriceSources, source: string): string {
  for (const [name, pattern] of Object.entries(PATTERNS)) {
    const match = pattern.exec(source);
    if (match) return words[name as keyof PriceSources].replace('{0}', match[1] ?? '');
  }
  return source;
}
