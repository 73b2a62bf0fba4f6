import type { Price } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';

/** A price sheet in a line: the rates that most calls meet. */
export function ShortPrice({ price }: { readonly price: Price | null }) {
  const { models: messages } = useMessages();
  if (price === null) return <Badge tone="warn">{messages.unpriced}</Badge>;
  const rates: Readonly<Record<string, unknown>> = price;
  const parts = Object.entries(messages.shortRates).flatMap(([key, name]) => {
    const rate = rates[key];
    return typeof rate === 'string' ? [`${showUsd(rate)}${name.startsWith('/') ? '' : ' '}${name}`] : [];
  });
  return (
    // Set apart by room alone: a dot would end or begin a line.
    <span className="flex flex-wrap gap-x-3 text-xs">
      {parts.map((part) => (
        <span key={part} className="whitespace-nowrap">
          {part}
        </span>
      ))}
    </span>
  );
}
