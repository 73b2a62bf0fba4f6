import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ApiError } from '../../api/answer.js';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { selectedKey, useSelectedKey } from '../../api/selected-key.js';
import type { TokenWithKey } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Form } from '../../components/form.js';
import { TextField } from '../../components/form-fields.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const HINT_CHARACTERS = 6;

const schema = z.object({ key: required });

/** The key that is called with: pasted, or made here. */
export function KeyChoice() {
  const { playground: messages } = useMessages();
  const key = useSelectedKey();
  const refresh = useRefresh();
  const making = useMutation({
    mutationFn: () => makeToken(messages.createKeyName),
    onSuccess: (token) => {
      selectedKey.take(token.key);
      return refresh('/api/v1/tokens', '/api/v1/wallets');
    },
  });
  const form = useApiForm({
    schema,
    texts: { key: '' },
    send: async ({ key: pasted }) => selectedKey.take(pasted),
  });
  const { input, ...field } = form.field('key');
  if (key !== undefined) {
    return (
      <div className="text-muted flex flex-wrap items-center gap-2 text-xs">
        <span>
          {messages.keyReady}{' '}
          <code className="font-mono">{`${key.slice(0, HINT_CHARACTERS)}…${key.slice(-4)}`}</code>
        </span>
        <Button isSmall onClick={() => selectedKey.take(undefined)}>
          {messages.otherKey}
        </Button>
      </div>
    );
  }
  return (
    <Card>
      <Form
        form={form}
        className="flex flex-wrap items-end gap-3"
        buttons={
          <Button className="sm:mb-5.5" disabled={making.isPending} onClick={() => making.mutate()}>
            {messages.createKey}
          </Button>
        }
      >
        <div className="max-w-xl min-w-60 flex-1">
          <TextField
            {...field}
            input={{
              ...input,
              onBlur: async (event) => {
                await input.onBlur(event);
                if (form.read('key').trim() !== '') await form.submit();
              },
            }}
            label={messages.key}
            hint={messages.keyHint}
            type="password"
            autoComplete="off"
            placeholder={messages.keyPlaceholder}
          />
        </div>
      </Form>
      {making.error && <ErrorNotice error={making.error} />}
    </Card>
  );
}

/** Names are taken once in a wallet: a later key of the playground carries the moment in its name. */
async function makeToken(name: string): Promise<TokenWithKey> {
  try {
    return await api.post('/api/v1/tokens', { body: { name } });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error;
    const moment = new Date().toISOString().slice(0, 19).replace('T', ' ');
    return api.post('/api/v1/tokens', { body: { name: `${name} ${moment}` } });
  }
}
