import { useState } from 'react';
import type { OfferedModels } from '../../../api/console-api.js';
import { Button } from '../../../components/button.js';
import { Field, TextInput } from '../../../components/field.js';
import { useMessages } from '../../../messages/use-messages.js';
import { type OfferDraft, toOfferDraft } from './offer-draft.js';
import { OfferRow } from './offer-row.js';
import type { TestState } from './use-model-tests.js';

/** Those who sell everybody's models list hundreds: the rest is found by writing. */
const MOST_SHOWN = 100;

interface OfferListProps {
  readonly offer: OfferedModels;
  readonly drafts: Readonly<Record<string, OfferDraft>>;
  readonly tests: Readonly<Record<string, TestState>>;
  readonly onChange: (drafts: Readonly<Record<string, OfferDraft>>) => void;
}

/** What a provider offers, to be searched and ticked. */
export function OfferList({ offer, drafts, tests, onChange }: OfferListProps) {
  const { provider: messages } = useMessages();
  const [search, setSearch] = useState('');
  const found = offer.models.filter(({ slug }) => slug.toLowerCase().includes(search.trim().toLowerCase()));
  const free = found.filter(({ state }) => state !== 'served');
  const tickAll = (isTicked: boolean) =>
    onChange({
      ...drafts,
      ...Object.fromEntries(
        free.map((model) => [model.name, { ...(drafts[model.name] ?? toOfferDraft(model)), isTicked }]),
      ),
    });
  return (
    <>
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-40 flex-1 max-sm:basis-full">
          <Field label={messages.search}>
            <TextInput value={search} onChange={(event) => setSearch(event.target.value)} />
          </Field>
        </div>
        <Button disabled={free.length === 0} onClick={() => tickAll(true)}>
          {messages.tickAll(free.length)}
        </Button>
        <Button disabled={free.length === 0} onClick={() => tickAll(false)}>
          {messages.tickNone}
        </Button>
      </div>
      <ul
        aria-label={messages.offered}
        tabIndex={0}
        className="border-line max-h-[45dvh] overflow-y-auto rounded-lg border"
      >
        {found.slice(0, MOST_SHOWN).map((model) => (
          <OfferRow
            key={model.name}
            model={model}
            draft={drafts[model.name] ?? toOfferDraft(model)}
            test={tests[model.name]}
            onChange={(part) =>
              onChange({
                ...drafts,
                [model.name]: { ...(drafts[model.name] ?? toOfferDraft(model)), ...part },
              })
            }
          />
        ))}
      </ul>
      {found.length > MOST_SHOWN && (
        <p className="text-muted text-xs">{messages.more(found.length - MOST_SHOWN)}</p>
      )}
    </>
  );
}
