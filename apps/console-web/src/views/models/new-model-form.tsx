import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Model } from '../../api/console-api.js';
import { Field, Select, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { SizeFields, NO_SIZES, toSizes } from './size-fields.js';
import { listParts, listRates, toPriceDraft, toPriceSheet } from './price-draft.js';
import { PriceFields } from './price-fields.js';

export function NewModelForm({ onClose }: { readonly onClose: () => void }) {
  const { models: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [slug, setSlug] = useState('');
  const [kind, setKind] = useState<Model['kind']>('chat');
  const [draft, setDraft] = useState(() => toPriceDraft(null));
  const [sizes, setSizes] = useState(NO_SIZES);
  const submit = async () => {
    const price = toPriceSheet(draft, (part) => `${messages.parts[part].title} ${messages.partWrong}`);
    await api.post('/api/v1/models', { body: { slug: slug.trim(), kind, ...toSizes(sizes), price } });
    await refresh('/api/v1/models', '/api/v1/catalog');
  };
  return (
    <FormDialog
      title={messages.createTitle}
      action={actions.create}
      done={done.created(slug.trim())}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field label={messages.slug} hint={messages.slugHint} error={errorOf('slug')}>
            <TextInput required value={slug} onChange={(event) => setSlug(event.target.value)} />
          </Field>
          <Field label={messages.kind} error={errorOf('kind')}>
            <Select value={kind} onChange={(event) => setKind(event.target.value as Model['kind'])}>
              {Object.entries(messages.kinds).map(([name, text]) => (
                <option key={name} value={name}>
                  {text}
                </option>
              ))}
            </Select>
          </Field>
          {kind === 'chat' && <SizeFields draft={sizes} onChange={setSizes} errorOf={errorOf} />}
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
