import type { ReactNode } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Field, TextArea } from '../../components/field.js';
import type { GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallOutcome } from './call-outcome.js';
import { ModelChoice } from './model-choice.js';
import { SnippetCard } from './snippet-card.js';

interface MediaFormProps {
  readonly access: GatewayAccess;
  readonly mode: 'image' | 'video';
  readonly path: string;
  /** What the gateway is sent. */
  readonly body: { readonly model: string; readonly prompt: string };
  readonly models: readonly string[] | undefined;
  readonly promptLabel: string;
  readonly making: {
    readonly isPending: boolean;
    readonly error: Error | null;
    readonly data?:
      | { readonly requestId?: string | undefined; readonly cost?: string | undefined }
      | undefined;
    readonly mutate: () => void;
  };
  readonly onModel: (model: string) => void;
  readonly onPrompt: (prompt: string) => void;
  /** The result, where there is one. */
  readonly children: ReactNode;
  /** Fields of this mode alone. */
  readonly options: ReactNode;
}

/** Asks for something to see, and shows it with what it cost and how a program asks for it. */
export function MediaForm(props: MediaFormProps) {
  const { playground: messages } = useMessages();
  const { access, mode, path, body, models, making } = props;
  const canMake = access.apiKey !== '' && body.model !== '' && body.prompt.trim() !== '' && !making.isPending;
  return (
    <div className="grid gap-4 lg:grid-cols-[1fr_22rem]">
      <Card className="flex min-w-0 flex-col gap-4 self-start">
        <div className="flex min-h-48 items-center justify-center" aria-live="polite">
          {props.children ?? <p className="text-muted">{messages.emptyResult}</p>}
        </div>
        <CallOutcome
          gatewayUrl={access.url}
          error={making.error}
          requestId={making.data?.requestId}
          cost={making.data?.cost}
        />
        <Field label={props.promptLabel}>
          <TextArea rows={2} value={body.prompt} onChange={(event) => props.onPrompt(event.target.value)} />
        </Field>
        <Button kind="primary" className="self-end" disabled={!canMake} onClick={making.mutate}>
          {messages.make}
        </Button>
      </Card>
      <div className="flex min-w-0 flex-col gap-4">
        <Card className="flex flex-col gap-4">
          <ModelChoice models={models} value={body.model} onChange={props.onModel} />
          {props.options}
        </Card>
        <SnippetCard call={{ mode, url: access.url, path, body }} />
      </div>
    </div>
  );
}
