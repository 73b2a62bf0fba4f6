import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { Field, Select, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { LimitFields, NO_LIMITS, toLimits } from './limit-fields.js';
import { listParts, listRates, toPriceDraft, toPriceSheet } from './price-draft.js';
import { PriceFields } from './price-fields.js';

export function NewModelForm({ onClose }: { readonly onClose: () => void }) {
  const { models: messages, actions } = useMessages();
  const queries = useQueryClient();
  const [slug, setSlug] = useState('');
  const [kind, setKind] = useState('chat');
  const [draft, setDraft] = useState(() => toPriceDraft(null));
  const [limits, setLimits] = useState(NO_LIMITS);
  const submit = async () => {
    const price = toPriceSheet(draft, (part) => `${messages.parts[part].title} ${messages.partWrong}`);
    await api.post('/api/v1/models', { slug: slug.trim(), kind, ...toLimits(limits), price });
    await queries.invalidateQueries();
  };
  return (
    <FormDialog title={messages.createTitle} action={actions.create} onSubmit={submit} onClose={onClose}>
      {(errorOf) => (
        <>
          <Field label={messages.slug} hint={messages.slugHint} error={errorOf('slug')}>
            <TextInput required value={slug} onChange={(event) => setSlug(event.target.value)} />
          </Field>
          <Field label={messages.kind} error={errorOf('kind')}>
            <Select value={kind} onChange={(event) => setKind(event.target.value)}>
              {Object.entries(messages.kinds).map(([name, text]) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
          {kind === 'chat' && <LimitFields draft={limits} onChange={setLimits} errorOf={errorOf} />}
          <PriceFields
            rates={listRates(kind, null)}
            parts={listParts(kind, null)}
            draft={draft}
            onChange={setDraft}
            errorOf={errorOf}
          />
        </>
      )}
    </FormDialog>
  );
}
