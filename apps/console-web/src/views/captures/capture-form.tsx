import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Token } from '../../api/console-api.js';
import { type DescribedInput, Field, Select } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { CAPTURE_HOURS, toCaptureSetting } from './capture-setting.js';

const DAY_HOURS = 24;

/** Has the bodies of a key's calls kept for a while. */
export function CaptureForm({ token, onClose }: { readonly token: Token; readonly onClose: () => void }) {
  const { captures: messages, done } = useMessages();
  const refresh = useRefresh();
  const [hours, setHours] = useState(DAY_HOURS);
  const [keepHours, setKeepHours] = useState(DAY_HOURS);
  const submit = async () => {
    await api.put('/api/v1/tokens/{id}/capture', {
      path: { id: token.id },
      body: toCaptureSetting(hours, keepHours, Date.now()),
    });
    await refresh('/api/v1/tokens', '/api/v1/audit');
  };
  return (
    <FormDialog
      title={messages.startTitle(token.name)}
      action={messages.start}
      done={done.saved(messages.title)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <p className="text-muted">{messages.startText}</p>
          <Field label={messages.during} error={errorOf('until')}>
            <HoursSelect hours={hours} onChange={setHours} />
          </Field>
          <Field label={messages.keepEach} error={errorOf('keep_seconds')}>
            <HoursSelect hours={keepHours} onChange={setKeepHours} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

interface HoursSelectProps extends DescribedInput {
  readonly hours: number;
  readonly onChange: (hours: number) => void;
}

function HoursSelect({ hours, onChange, ...described }: HoursSelectProps) {
  const { captures: messages } = useMessages();
  return (
    <Select {...described} value={hours} onChange={(event) => onChange(Number(event.target.value))}>
      {CAPTURE_HOURS.map((known) => (
        <option key={known} value={known}>
          {messages.hours(known)}
        </option>
      ))}
    </Select>
  );
}
