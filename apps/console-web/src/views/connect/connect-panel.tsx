import { useState } from 'react';
import { useModels } from '../../api/use-models.js';
import { usePageSettings } from '../../api/use-me.js';
import { Breakable } from '../../components/breakable.js';
import { CodeBlock } from '../../components/code-block.js';
import { CopyButton } from '../../components/copy-button.js';
import { Facts } from '../../components/facts.js';
import { Field, Select } from '../../components/field.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { CLIENT_NOTES } from './client-notes.js';
import { GUIDE_NAMES, type GuideName, toBaseUrl, writeGuide } from './write-guide.js';

/** How programs are connected to the gateway, with a key filled in. */
export function ConnectPanel({ apiKey }: { readonly apiKey: string }) {
  const { connect: messages } = useMessages();
  const language = useLanguage();
  const settings = usePageSettings();
  const models = useModels('chat');
  const [guide, setGuide] = useState<GuideName>('curl');
  const [chosen, setChosen] = useState<string>();
  if (!settings.data || !models) return null;
  const url = settings.data.gateway_url;
  const baseUrl = toBaseUrl(guide, url);
  const model = chosen ?? models[0] ?? '';
  const notes = CLIENT_NOTES[guide]?.[language] ?? [];
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          [
            messages.baseUrl,
            <span className="inline-flex items-center gap-1">
              <code className="wrap-anywhere font-mono text-xs">
                <Breakable text={baseUrl} />
              </code>
              <CopyButton text={baseUrl} label={messages.baseUrl} />
            </span>,
          ],
        ]}
      />
      <div className="grid gap-4 sm:grid-cols-[1fr_2fr]">
        <Field label={messages.program}>
          <Select value={guide} onChange={(event) => setGuide(event.target.value as GuideName)}>
            {GUIDE_NAMES.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={messages.model}>
          <Select value={model} onChange={(event) => setChosen(event.target.value)}>
            {models.map((slug) => (
              <option key={slug} value={slug}>
                {slug}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <CodeBlock text={writeGuide(guide, { url, key: apiKey, model })} label={guide} isProgram />
      {notes.length > 0 && (
        <ul className="text-muted list-disc ps-4 text-xs">
          {notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
