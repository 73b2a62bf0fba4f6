import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Model } from '../../api/console-api.js';
import { Checkbox, Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { LimitFields } from '../limits/limit-fields.js';
import { toLimitsBody, toLimitsDraft } from '../limits/limits-draft.js';
import { listParts, listRates, toPriceDraft, toPriceSheet } from './price-draft.js';
import { PriceFields } from './price-fields.js';
import { RoutingFields, toRoutingBody, toRoutingDraft } from './routing-fields.js';
import { SizeFields, toSizes } from './size-fields.js';

/** Changes a model's limits, its price, at once or from a moment on, and whether it may be called. */
export function ModelForm({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const { models: messages, actions, states, done } = useMessages();
  const refresh = useRefresh();
  const [draft, setDraft] = useState(() => toPriceDraft(model.price));
  const [routing, setRouting] = useState(() => toRoutingDraft(model));
  const [rates, setRates] = useState(() => toLimitsDraft(model));
  const [sizes, setSizes] = useState({
    context_window: model.context_window?.toString() ?? '',
    max_output_tokens: model.max_output_tokens?.toString() ?? '',
  });
  const [effectiveFrom, setEffectiveFrom] = useState('');
  const [isActive, setActive] = useState(model.state === 'active');
  const submit = async () => {
    await api.patch('/api/v1/models/{path}', {
      path: { path: model.slug },
      body: {
        price: toPriceSheet(draft, (part) => `${messages.parts[part].title} ${messages.partWrong}`),
        ...toSizes(sizes),
        ...toRoutingBody(routing),
        limits: toLimitsBody(rates).limits,
        state: isActive ? 'active' : 'disabled',
        effective_from: effectiveFrom === '' ? undefined : new Date(effectiveFrom).toISOString(),
      },
    });
    await refresh('/api/v1/models', '/api/v1/catalog');
  };
  return (
    <FormDialog
      title={messages.editTitle(model.slug)}
      action={actions.save}
      done={done.saved(model.slug)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <SizeFields draft={sizes} onChange={setSizes} errorOf={errorOf} />
          <p className="text-muted">{messages.explain}</p>
          <PriceFields
            rates={listRates(model.kind, model.price)}
            parts={listParts(model.kind, model.price)}
            draft={draft}
            onChange={setDraft}
            errorOf={errorOf}
          />
          <Field
            label={messages.effectiveFrom}
            hint={messages.effectiveHint}
            error={errorOf('effective_from')}
          >
            <TextInput
              type="datetime-local"
              value={effectiveFrom}
              onChange={(event) => setEffectiveFrom(event.target.value)}
            />
          </Field>
          <RoutingFields draft={routing} onChange={setRouting} errorOf={errorOf} />
          <LimitFields draft={rates} onChange={setRates} errorOf={errorOf} />
          <Checkbox
            label={states.active}
            checked={isActive}
            onChange={(event) => setActive(event.target.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
