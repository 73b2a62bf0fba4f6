import type { SettingField } from '../../api/console-api.js';
import { Field, Select, TextArea, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';
import type { SettingsDraft } from './settings-draft.js';

interface SettingsFieldsProps {
  readonly fields: readonly SettingField[];
  /** Names of the secret settings that are set. */
  readonly keptSecrets: readonly string[];
  readonly draft: SettingsDraft;
  readonly onChange: (draft: SettingsDraft) => void;
  readonly errorOf: (param: string) => string | undefined;
}

/** The settings of a type, as its provider describes them; whatever it does not describe, as JSON. */
export function SettingsFields({ fields, keptSecrets, draft, onChange, errorOf }: SettingsFieldsProps) {
  const { channels: messages } = useMessages();
  if (fields.length === 0 && draft.others === '') return null;
  // What nobody has to fill in stands back.
  const [required, optional] = [true, false].map((isRequired) =>
    fields.filter((field) => field.required === isRequired),
  );
  const toField = (field: SettingField) => (
    <SettingInput
      key={field.name}
      field={field}
      isKept={keptSecrets.includes(field.name)}
      value={draft.texts[field.name] ?? ''}
      error={errorOf(`settings.${field.name}`)}
      onChange={(text) => onChange({ ...draft, texts: { ...draft.texts, [field.name]: text } })}
    />
  );
  const hasFault = optional?.some((field) => errorOf(`settings.${field.name}`) !== undefined);
  const isSet = optional?.some((field) => draft.texts[field.name] || keptSecrets.includes(field.name));
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-semibold">{messages.settings}</legend>
      {required?.map(toField)}
      {optional && optional.length > 0 && (
        <details open={hasFault || isSet || undefined}>
          <summary className="text-muted touch:py-3 cursor-pointer">
            {messages.settingsOptional(optional.length)}
          </summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">{optional.map(toField)}</div>
        </details>
      )}
      {draft.others !== '' && (
        <Field label={messages.settingsOther} hint={messages.settingsHint}>
          <TextArea
            rows={4}
            spellCheck={false}
            className="font-mono text-xs"
            value={draft.others}
            onChange={(event) => onChange({ ...draft, others: event.target.value })}
          />
        </Field>
      )}
    </fieldset>
  );
}

interface SettingInputProps {
  readonly field: SettingField;
  /** A secret that is set stays when nothing is written. */
  readonly isKept: boolean;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
}

function SettingInput({ field, isKept, value, error, onChange }: SettingInputProps) {
  const { channels: messages, states } = useMessages();
  const { kind, choices } = field;
  const { title, help } = messages.describeSetting(field);
  const hint = [
    help,
    field.default !== null && messages.settingDefault(field.default),
    kind === 'list' && messages.settingList(choices.join(', ')),
    isKept && messages.settingKept,
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const change = (event: { readonly target: { readonly value: string } }) => onChange(event.target.value);
  const isChosen = kind === 'choice' || kind === 'flag';
  const names: Readonly<Record<string, string>> =
    kind === 'flag' ? { true: states.yes, false: states.no } : {};
  return (
    <Field label={title} hint={hint === '' ? undefined : hint} error={error}>
      {isChosen ? (
        <Select value={value} onChange={change}>
          <option value="">{messages.settingUnset}</option>
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {names[choice] ?? choice}
            </option>
          ))}
        </Select>
      ) : (
        <TextInput
          type={kind === 'secret' ? 'password' : 'text'}
          inputMode={kind === 'number' ? 'numeric' : undefined}
          autoComplete="off"
          required={field.required && !isKept}
          value={value}
          onChange={change}
        />
      )}
    </Field>
  );
}
