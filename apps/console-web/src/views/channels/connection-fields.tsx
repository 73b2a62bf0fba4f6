import { type BoundField, TextField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';
import { type ChannelForm, losesKey, needsApiKey } from './channel-schema.js';

interface ConnectionFieldsProps extends ChannelForm {
  readonly field: (name: 'base_url' | 'api_key') => BoundField;
  /** The address as it is written. */
  readonly baseUrl: string;
}

/** How the provider is reached, and with what. */
export function ConnectionFields({ channel, type, field, baseUrl }: ConnectionFieldsProps) {
  const { channels: messages } = useMessages();
  const defaultUrl = type?.default_base_url;
  const hints = channel?.key_hints ?? [];
  const keyHint = channel ? messages.apiKeyNone : messages.apiKeyHint;
  const keyKept = hints.length > 0 ? messages.apiKeyKept(hints.join(', ')) : keyHint;
  return (
    <>
      <TextField
        {...field('base_url')}
        label={messages.baseUrl}
        hint={defaultUrl ? messages.baseUrlDefault(defaultUrl) : undefined}
        type="url"
        required={type?.needs_base_url ?? false}
      />
      <TextField
        {...field('api_key')}
        label={messages.apiKey}
        hint={losesKey({ channel, type }, baseUrl) ? messages.apiKeyMoved : keyKept}
        type="password"
        autoComplete="off"
        required={needsApiKey({ channel, type }, baseUrl)}
      />
    </>
  );
}
