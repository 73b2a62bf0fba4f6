import type { ModelWithPrices, Price } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Breakable } from '../../components/breakable.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { sayPriceSource } from '../../messages/say-price-source.js';
import { useMessages } from '../../messages/use-messages.js';
import { countDecimals } from '../../money/usd.js';

/** Every price that a model had, has and will have. */
export function PriceHistory({ model }: { readonly model: ModelWithPrices }) {
  const { models: messages, logs } = useMessages();
  return (
    <ol className="flex flex-col gap-3">
      {model.prices.map((version) => (
        <li key={version.id} className="border-line rounded-lg border p-3">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2 text-xs">
            {/* Set apart by room alone: a dot would end or begin a line. */}
            <span className="text-muted flex min-w-0 flex-wrap gap-x-3">
              <Moment at={version.effective_from} isAbsolute />
              <span className="wrap-anywhere">{sayPriceSource(messages.sources, version.source)}</span>
            </span>
            {version.id === model.price_version && <Badge tone="good">{messages.current}</Badge>}
            {Date.parse(version.effective_from) > Date.now() && (
              <Badge tone="accent">{messages.planned}</Badge>
            )}
          </div>
          <p className="text-muted mb-2 text-xs">
            {logs.priceVersion}{' '}
            <code className="wrap-anywhere font-mono">
              <Breakable text={version.id} />
            </code>
          </p>
          <RateFacts rates={version.price} />
          <PriceParts price={version.price} />
        </li>
      ))}
    </ol>
  );
}

type Rates = Readonly<Record<string, unknown>>;

/** Rates that hold for some calls alone, each set under its name. */
function PriceParts({ price }: { readonly price: Price }) {
  const { models: messages } = useMessages();
  const { long_context: long, tiers = {}, variants = {} } = price;
  const tierSets = Object.entries(tiers).flatMap(([name, rates]) => {
    const title = messages.tier(name);
    const { long_context: ofLong } = rates;
    const ofTier = [[title, rates]] as const;
    if (!ofLong) return ofTier;
    return [...ofTier, [`${title} · ${messages.longContext(ofLong.above_tokens)}`, ofLong] as const];
  });
  const sets: readonly (readonly [string, Rates])[] = [
    ...(long ? [[messages.longContext(long.above_tokens), long] as const] : []),
    ...tierSets,
    ...Object.entries(variants),
  ];
  return sets.map(([title, rates]) => (
    <section key={title} className="border-line mt-3 border-t pt-3">
      <h4 className="mb-2 text-xs font-semibold">{title}</h4>
      <RateFacts rates={rates} />
    </section>
  ));
}

/** With their decimal points below each other. */
function RateFacts({ rates }: { readonly rates: Rates }) {
  const { models: messages } = useMessages();
  const amounts = Object.keys(messages.rates).flatMap((key) => {
    const rate = rates[key];
    return typeof rate === 'string' ? [rate] : [];
  });
  const decimals = Math.max(0, ...amounts.map(countDecimals));
  return (
    <dl className="grid grid-cols-[1fr_auto] gap-x-6 gap-y-2">
      {Object.entries(messages.rates).map(([key, name]) => {
        const rate = rates[key];
        if (typeof rate !== 'string') return null;
        return (
          <div key={key} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right tabular-nums">
              {key.endsWith('_share') ? rate : <Money usd={rate} decimals={decimals} />}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
