import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Model } from '../../api/console-api.js';
import { DateField } from '../../components/date-field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { CheckField } from '../../components/form-fields.js';
import { moment, orNothing } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { LimitFields } from '../limits/limit-fields.js';
import { limitsSchema, toLimitTexts } from '../limits/limits-schema.js';
import { PriceFields } from './price-fields.js';
import { listParts, listRates, priceSchema, toPriceTexts } from './price-schema.js';
import { RoutingFields } from './routing-fields.js';
import { routingSchemas, toRoutingTexts } from './routing-schema.js';
import { SizeFields, sizeSchemas } from './size-fields.js';

function modelSchema({ kind, price }: Model) {
  return z.object({
    ...sizeSchemas,
    ...routingSchemas,
    price: priceSchema(kind, price),
    effective_from: orNothing(moment, undefined),
    limits: limitsSchema,
    active: z.boolean(),
  });
}

/** Changes a model's limits, its price, at once or from a moment on, and whether it may be called. */
export function ModelForm({ model, onClose }: { readonly model: Model; readonly onClose: () => void }) {
  const { models: messages, channels, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema: modelSchema(model),
    texts: {
      ...toRoutingTexts(model),
      context_window: model.context_window?.toString() ?? '',
      max_output_tokens: model.max_output_tokens?.toString() ?? '',
      price: toPriceTexts(model.price),
      effective_from: '',
      limits: toLimitTexts(model),
      active: model.state === 'active',
    },
    send: async ({ active, ...rest }) => {
      await api.patch('/api/v1/models/{path}', {
        path: { path: model.slug },
        body: { ...rest, state: active ? 'active' : 'disabled' },
      });
      await refresh('/api/v1/models', '/api/v1/catalog');
    },
    done: () => done.saved(model.slug),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.editTitle(model.slug)} action={actions.save} onClose={onClose}>
      <SizeFields field={form.field} />
      <PriceFields
        note={messages.explain}
        rates={listRates(model.kind, model.price)}
        parts={listParts(model.kind, model.price)}
        field={form.field}
        read={form.read}
      />
      <DateField
        {...form.choice('effective_from')}
        label={messages.effectiveFrom}
        hint={messages.effectiveHint}
        hasTime
      />
      <RoutingFields field={form.field} fallback={form.read('fallback')} />
      <LimitFields field={form.field} />
      <CheckField {...form.field('active')} label={channels.enabled} />
    </FormDialog>
  );
}
