import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Model } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { SelectField, TextField } from '../../components/form-fields.js';
import { slug, unshown } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { PriceFields } from './price-fields.js';
import { listParts, listRates, priceSchema, toPriceTexts } from './price-schema.js';
import { SizeFields, sizeSchemas } from './size-fields.js';

const KINDS = [
  'chat',
  'embedding',
  'image',
  'transcription',
  'speech',
  'moderation',
  'rerank',
  'realtime',
  'video',
] as const satisfies readonly Model['kind'][];

/** Which fields there are depends on the kind. */
function newModelSchema(kind: Model['kind']) {
  const sizes = kind === 'chat' ? sizeSchemas : { context_window: unshown, max_output_tokens: unshown };
  return z.object({ slug, kind: z.enum(KINDS), ...sizes, price: priceSchema(kind, null) });
}

export function NewModelForm({ onClose }: { readonly onClose: () => void }) {
  const { models: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema: (texts) => newModelSchema(texts.kind),
    texts: {
      slug: '',
      kind: 'chat',
      context_window: '',
      max_output_tokens: '',
      price: toPriceTexts(null),
    },
    send: async (body) => {
      await api.post('/api/v1/models', { body });
      await refresh('/api/v1/models', '/api/v1/catalog');
    },
    done: (model) => done.created(model.slug),
    onDone: onClose,
  });
  const kind = form.read('kind');
  return (
    <FormDialog form={form} title={messages.createTitle} action={actions.create} onClose={onClose}>
      <TextField {...form.field('slug')} label={messages.slug} hint={messages.slugHint} required />
      <SelectField {...form.field('kind')} label={messages.kind}>
        {KINDS.map((name) => (
          <option key={name} value={name}>
            {messages.kinds[name]}
          </option>
        ))}
      </SelectField>
      {kind === 'chat' && <SizeFields field={form.field} />}
      <PriceFields
        rates={listRates(kind, null)}
        parts={listParts(kind, null)}
        field={form.field}
        read={form.read}
      />
    </FormDialog>
  );
}
