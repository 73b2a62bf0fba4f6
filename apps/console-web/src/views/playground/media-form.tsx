import { type ReactNode, useId } from 'react';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { type DrawnForm, Form } from '../../components/form.js';
import { type BoundField, TextAreaField } from '../../components/form-fields.js';
import type { GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallOutcome } from './call-outcome.js';
import { CHOICES, PLAYGROUND, RESULT } from './layout.js';
import { ModelChoice } from './model-choice.js';
import { SnippetCard } from './snippet-card.js';

interface MediaFormProps {
  readonly form: DrawnForm;
  readonly prompt: BoundField;
  readonly access: GatewayAccess;
  readonly mode: 'image' | 'video';
  readonly path: string;
  /** What the gateway is sent. */
  readonly body: { readonly model: string; readonly prompt: string };
  readonly models: readonly string[] | undefined;
  readonly promptLabel: string;
  /** The last answer. */
  readonly outcome:
    | { readonly requestId?: string | undefined; readonly cost?: string | undefined }
    | undefined;
  readonly onModel: (model: string) => void;
  /** The result, where there is one. */
  readonly children: ReactNode;
  /** Fields of this mode alone. */
  readonly options: ReactNode;
}

/** Asks for something to see, and shows it with what it cost and how a program asks for it. */
export function MediaForm(props: MediaFormProps) {
  const { playground: messages } = useMessages();
  const noteId = useId();
  const { form, access, mode, path, body, models, outcome } = props;
  const needsKey = access.apiKey === '';
  const canMake = !needsKey && body.model !== '' && body.prompt.trim() !== '' && !form.isPending;
  return (
    // What failed is said beside the result.
    <Form form={{ ...form, error: null }} isCostly className={PLAYGROUND} buttons={null}>
      <Card className={`${CHOICES} flex flex-col gap-4`}>
        <ModelChoice models={models} value={body.model} onChange={props.onModel} />
        {props.options}
      </Card>
      <Card className={`${RESULT} flex flex-col gap-4`}>
        <div className="flex min-h-48 items-center justify-center" aria-live="polite">
          {props.children ?? <p className="text-muted">{messages.emptyResult}</p>}
        </div>
        <CallOutcome
          gatewayUrl={access.url}
          error={form.error}
          requestId={outcome?.requestId}
          cost={outcome?.cost}
        />
        <TextAreaField {...props.prompt} label={props.promptLabel} rows={2} />
        <div className="flex items-center justify-end gap-3">
          {needsKey ? (
            <span id={noteId} className="text-muted text-xs">
              {messages.keyNeeded}
            </span>
          ) : (
            <span className="text-muted text-xs touch:hidden">{messages.makeKeys}</span>
          )}
          <Button
            kind="primary"
            type="submit"
            aria-keyshortcuts="Control+Enter"
            aria-describedby={needsKey ? noteId : undefined}
            disabled={!canMake}
          >
            {messages.make}
          </Button>
        </div>
      </Card>
      <SnippetCard call={{ mode, url: access.url, path, body }} />
    </Form>
  );
}
