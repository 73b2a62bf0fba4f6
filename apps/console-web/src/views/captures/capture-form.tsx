import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Token } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { SelectField } from '../../components/form-fields.js';
import { wholeNumber } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { CAPTURE_HOURS, MOST_HOURS, toCaptureSetting } from './capture-setting.js';

const DAY_HOURS = '24';

/** Both in hours from now on. */
const schema = z.object({ until: wholeNumber(1, MOST_HOURS), keep_seconds: wholeNumber(1, MOST_HOURS) });

/** Has the bodies of a key's calls kept for a while. */
export function CaptureForm({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const { captures: messages, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { until: DAY_HOURS, keep_seconds: DAY_HOURS },
    send: async ({ until, keep_seconds: keep }) => {
      await api.put('/api/v1/tokens/{id}/capture', {
        path: { id: token.id },
        body: toCaptureSetting(until, keep, Date.now()),
      });
      await refresh('/api/v1/tokens', '/api/v1/audit');
    },
    done: () => done.captureStarted(token.name),
    onDone: onClose,
  });
  const choices = CAPTURE_HOURS.map((hours) => (
    <option key={hours} value={hours}>
      {messages.hours(hours)}
    </option>
  ));
  return (
    <FormDialog form={form} title={messages.startTitle(token.name)} action={messages.start} onClose={onClose}>
      <p className="text-muted">{messages.startText}</p>
      <SelectField {...form.field('until')} label={messages.during}>
        {choices}
      </SelectField>
      <SelectField {...form.field('keep_seconds')} label={messages.keepEach}>
        {choices}
      </SelectField>
    </FormDialog>
  );
}
