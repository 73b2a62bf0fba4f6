import { useId, useState } from 'react';
import * as z from 'zod/mini';
import { useModels } from '../../api/use-models.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Form } from '../../components/form.js';
import { TextAreaField, TextField } from '../../components/form-fields.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import type { GatewayAccess } from '../../gateway/call-gateway.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallOutcome } from './call-outcome.js';
import { Conversation } from './conversation.js';
import { CHOICES, PLAYGROUND, RESULT } from './layout.js';
import { ModelChoice } from './model-choice.js';
import { SnippetCard } from './snippet-card.js';
import { useChat } from './use-chat.js';
import { useStarter } from './use-starter.js';

const PATH = '/v1/chat/completions';

const schema = z.object({ model: z.string(), system: z.string(), prompt: required });

export function ChatPlayground({ access }: { readonly access: GatewayAccess }) {
  const { playground: messages } = useMessages();
  const models = useModels('chat');
  const needsKey = access.apiKey === '';
  const [sent, setSent] = useState<object>();
  const chat = useChat(access);
  const form = useApiForm({
    schema,
    texts: { model: '', system: '', prompt: messages.promptStart },
    send: async () => {
      setSent(body);
      void chat.send(body, prompt);
      form.empty('prompt');
    },
  });
  useStarter(form, messages.promptStart);
  const chosen = form.read('model');
  const system = form.read('system');
  const prompt = form.read('prompt');
  const model = chosen || models?.find((slug) => slug === 'sandbox-chat') || models?.[0] || '';
  const body = {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...chat.messages.map(({ role, content }) => ({ role, content })),
      { role: 'user', content: prompt },
    ],
    stream: true,
  };
  // Until the next message is begun, the call that was just made.
  const planned = prompt.trim() === '' && sent !== undefined ? sent : body;
  const canSend = !needsKey && model !== '' && prompt.trim() !== '' && !chat.isRunning;
  return (
    <div className={PLAYGROUND}>
      <Card className={`${CHOICES} flex flex-col gap-4`}>
        <ModelChoice models={models} value={model} onChange={(slug) => form.write('model', slug)} />
        <TextField {...form.field('system')} label={messages.system} />
      </Card>
      <Card className={`${RESULT} flex flex-col gap-4`}>
        <Conversation messages={chat.messages} isRunning={chat.isRunning} />
        {/* Below the answer that it is of. */}
        <div className="px-3 empty:hidden">
          <CallOutcome gatewayUrl={access.url} error={chat.error} requestId={chat.requestId} />
        </div>
        <Form
          form={form}
          className="flex flex-col gap-3"
          buttons={<ChatButtons chat={chat} needsKey={needsKey} canSend={canSend} />}
        >
          <TextAreaField
            {...form.field('prompt')}
            label={messages.prompt}
            rows={3}
            onKeyDown={(event) => {
              if (canSend && event.key === 'Enter' && (event.metaKey || event.ctrlKey)) void form.submit();
            }}
          />
        </Form>
      </Card>
      <SnippetCard call={{ mode: 'chat', url: access.url, path: PATH, body: planned }} />
    </div>
  );
}

interface ChatButtonsProps {
  readonly chat: ReturnType<typeof useChat>;
  readonly needsKey: boolean;
  readonly canSend: boolean;
}

function ChatButtons({ chat, needsKey, canSend }: ChatButtonsProps) {
  const { playground: messages } = useMessages();
  const noteId = useId();
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      {needsKey && (
        <span id={noteId} className="text-muted text-xs">
          {messages.keyNeeded}
        </span>
      )}
      {chat.messages.length > 0 && <Button onClick={chat.reset}>{messages.reset}</Button>}
      {chat.isRunning && <Button onClick={chat.stop}>{messages.stop}</Button>}
      <Button
        kind="primary"
        type="submit"
        aria-describedby={needsKey ? noteId : undefined}
        disabled={!canSend}
      >
        {messages.send}
      </Button>
    </div>
  );
}
