import type { Channel, ChannelType } from '../../api/console-api.js';
import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';
import { type ChannelDraft, leadsElsewhere } from './channel-draft.js';

interface ConnectionFieldsProps {
  /** The channel that is changed, where there is one. */
  readonly channel: Channel | undefined;
  readonly type: ChannelType | undefined;
  readonly draft: Pick<ChannelDraft, 'baseUrl' | 'apiKey'>;
  readonly onChange: (part: Partial<Pick<ChannelDraft, 'baseUrl' | 'apiKey'>>) => void;
  readonly errorOf: (param: string) => string | undefined;
}

/** How the provider is reached, and with what. */
export function ConnectionFields({ channel, type, draft, onChange, errorOf }: ConnectionFieldsProps) {
  const { channels: messages } = useMessages();
  const defaultUrl = type?.default_base_url;
  const hints = channel?.key_hints ?? [];
  const keyIsLost = channel && hints.length > 0 && leadsElsewhere(channel, defaultUrl, draft.baseUrl);
  const keyKept = hints.length > 0 ? messages.apiKeyKept(hints.join(', ')) : messages.apiKeyHint;
  return (
    <>
      <Field
        label={messages.baseUrl}
        hint={defaultUrl ? messages.baseUrlDefault(defaultUrl) : undefined}
        error={errorOf('base_url')}
      >
        <TextInput
          type="url"
          required={type?.needs_base_url ?? false}
          value={draft.baseUrl}
          onChange={(event) => onChange({ baseUrl: event.target.value })}
        />
      </Field>
      <Field
        label={messages.apiKey}
        hint={keyIsLost ? messages.apiKeyMoved : keyKept}
        error={errorOf('api_key')}
      >
        <TextInput
          type="password"
          autoComplete="off"
          required={keyIsLost === true || (type?.needs_api_key === true && hints.length === 0)}
          value={draft.apiKey}
          onChange={(event) => onChange({ apiKey: event.target.value })}
        />
      </Field>
    </>
  );
}
