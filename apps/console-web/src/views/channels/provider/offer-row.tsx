import type { OfferedModels } from '../../../api/console-api.js';
import { Badge } from '../../../components/badge.js';
import { useSentence } from '../../../components/error-notice.js';
import { Select, TextInput } from '../../../components/field.js';
import { sayPriceSource } from '../../../messages/say-price-source.js';
import { useMessages } from '../../../messages/use-messages.js';
import { usePhrases } from '../../../messages/use-phrases.js';
import { ShortPrice } from '../../models/short-price.js';
import { isPriced, listMainRates, type OfferDraft, type OfferedModel } from './offer-draft.js';
import type { TestState } from './use-model-tests.js';

interface OfferRowProps {
  readonly model: OfferedModels['models'][number];
  readonly draft: OfferDraft;
  readonly test: TestState | undefined;
  readonly onChange: (part: Partial<OfferDraft>) => void;
}

/** An offered model: to be ticked, with its kind, its price and what a test of it came to. */
export function OfferRow({ model, draft, test, onChange }: OfferRowProps) {
  const { models: messages, provider: texts } = useMessages();
  const isServed = model.state === 'served';
  return (
    <li className="border-line border-b px-3 py-2 last:border-0">
      <div className="grid grid-cols-1 items-center gap-x-4 gap-y-1 max-sm:[&>:not(label)]:ml-6 sm:grid-cols-[minmax(9rem,1fr)_8rem_minmax(0,20rem)] lg:grid-cols-[minmax(9rem,1fr)_8rem_32rem]">
        <label className="touch:min-h-11 flex min-w-0 items-center gap-2">
          <input
            type="checkbox"
            className="accent-accent size-4 shrink-0"
            checked={draft.isTicked || isServed}
            disabled={isServed}
            onChange={(event) => onChange({ isTicked: event.target.checked })}
          />
          <code className="min-w-0 truncate font-mono text-xs" title={model.name}>
            {model.slug}
          </code>
        </label>
        {draft.isTicked && model.state === 'new' ? (
          <Select
            aria-label={texts.kindOf(model.slug)}
            value={draft.kind}
            onChange={(event) => onChange({ kind: event.target.value as OfferedModel['kind'], rates: {} })}
          >
            {Object.entries(messages.kinds).map(([kind, name]) => (
              <option key={kind} value={kind}>
                {name}
              </option>
            ))}
          </Select>
        ) : (
          <span className="text-muted text-xs">{messages.kinds[draft.kind] ?? draft.kind}</span>
        )}
        <OfferedPrice model={model} draft={draft} onChange={onChange} />
      </div>
      <TestResult test={test} />
    </li>
  );
}

function OfferedPrice({ model, draft, onChange }: Omit<OfferRowProps, 'test'>) {
  const { models: messages, provider: texts } = useMessages();
  if (!draft.isTicked || isPriced(model)) {
    return (
      <div className="flex min-w-0 items-center justify-between gap-3">
        <ShortPrice price={model.price} />
        {model.state === 'served' && <Badge>{texts.served}</Badge>}
        {model.state === 'added' && <Badge>{texts.keepsPrice}</Badge>}
      </div>
    );
  }
  const rates: Readonly<Record<string, unknown>> = model.price ?? {};
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex gap-2">
        {listMainRates(draft, model.price).map((rate) => (
          <label key={rate} className="flex min-w-0 flex-1 items-center gap-1.5">
            <TextInput
              inputMode="decimal"
              aria-label={texts.rateOf(messages.rates[rate] ?? rate, model.slug)}
              value={draft.rates[rate] ?? String(rates[rate] ?? '')}
              onChange={(event) => onChange({ rates: { ...draft.rates, [rate]: event.target.value } })}
            />
            <span className="text-muted text-xs whitespace-nowrap">{messages.shortRates[rate] ?? rate}</span>
          </label>
        ))}
      </div>
      <span className={`text-xs ${model.price === null ? 'text-warn' : 'text-muted'}`}>
        {model.price_source === null ? texts.unpriced : sayPriceSource(messages.sources, model.price_source)}
      </span>
    </div>
  );
}

function TestResult({ test }: { readonly test: TestState | undefined }) {
  const { channels: messages } = useMessages();
  const sentence = useSentence(test?.state === 'refused' ? test.error : undefined);
  const say = usePhrases();
  if (test === undefined) return null;
  if (test.state === 'running') return <p className="text-muted mt-1 text-xs">{messages.testing}</p>;
  if (test.state === 'answered' && test.answer.ok) {
    return (
      <p role="status" className="text-good mt-1 text-xs">
        {messages.testOk(test.answer.latency_ms)}
      </p>
    );
  }
  return (
    <p role="status" className="text-bad mt-1 text-xs">
      {messages.testFailed}
      {test.state === 'answered' ? say(test.answer.message_phrases ?? []) : sentence}
    </p>
  );
}
