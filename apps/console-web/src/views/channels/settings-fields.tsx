import type { SettingField } from '../../api/console-api.js';
import { type BoundField, SelectField, TextAreaField, TextField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';

interface SettingsFieldsProps {
  readonly fields: readonly SettingField[];
  /** Names of the secret settings that are set. */
  readonly keptSecrets: readonly string[];
  /** Whether there were settings that the type does not describe. */
  readonly hasOthers: boolean;
  readonly field: (name: `settings.${string}` | 'other_settings') => BoundField;
  readonly read: (name: `settings.${string}`) => string | undefined;
}

/** The settings of a type, as its provider describes them; whatever it does not describe, as JSON. */
export function SettingsFields({ fields, keptSecrets, hasOthers, field, read }: SettingsFieldsProps) {
  const { channels: messages } = useMessages();
  if (fields.length === 0 && !hasOthers) return null;
  // What nobody has to fill in stands back.
  const [required, optional] = [true, false].map((isRequired) =>
    fields.filter((known) => known.required === isRequired),
  );
  const toField = (known: SettingField) => (
    <SettingInput
      key={known.name}
      setting={known}
      isKept={keptSecrets.includes(known.name)}
      {...field(`settings.${known.name}`)}
    />
  );
  const isShown = optional?.some(
    ({ name }) =>
      field(`settings.${name}`).fault !== undefined || read(`settings.${name}`) || keptSecrets.includes(name),
  );
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-semibold">{messages.settings}</legend>
      {required?.map(toField)}
      {optional && optional.length > 0 && (
        <details open={isShown || undefined}>
          <summary className="text-muted touch:py-3 cursor-pointer">
            {messages.settingsOptional(optional.length)}
          </summary>
          <div className="mt-3 grid gap-4 sm:grid-cols-2">{optional.map(toField)}</div>
        </details>
      )}
      {hasOthers && (
        <TextAreaField
          {...field('other_settings')}
          label={messages.settingsOther}
          hint={messages.settingsHint}
          rows={4}
          spellCheck={false}
          className="font-mono text-xs"
        />
      )}
    </fieldset>
  );
}

interface SettingInputProps extends BoundField {
  readonly setting: SettingField;
  /** A secret that is set stays when nothing is written. */
  readonly isKept: boolean;
}

function SettingInput({ setting, isKept, ...field }: SettingInputProps) {
  const { channels: messages, states } = useMessages();
  const { kind, choices } = setting;
  const { title, help } = messages.describeSetting(setting);
  const hint = [
    help,
    setting.default !== null && messages.settingDefault(setting.default),
    kind === 'list' && messages.settingList(choices.join(', ')),
    isKept && messages.settingKept,
  ]
    .filter((part) => typeof part === 'string')
    .join(' ');
  const labels = { label: title, hint: hint === '' ? undefined : hint };
  if (kind !== 'choice' && kind !== 'flag') {
    return (
      <TextField
        {...field}
        {...labels}
        type={kind === 'secret' ? 'password' : 'text'}
        inputMode={kind === 'number' ? 'numeric' : undefined}
        autoComplete="off"
        required={setting.required && !isKept}
      />
    );
  }
  const names: Readonly<Record<string, string>> =
    kind === 'flag' ? { true: states.yes, false: states.no } : {};
  return (
    <SelectField {...field} {...labels}>
      <option value="">{messages.settingUnset}</option>
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {names[choice] ?? choice}
        </option>
      ))}
    </SelectField>
  );
}
