import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useMessages } from '../../messages/use-messages.js';
import { leaveForIssuer, takeTarget } from './sso-target.js';

/** Signs in through the issuer: sends the browser there, and takes it back with a code or a reason for none. */
export function SsoEntry() {
  const { sso } = useMessages();
  const { to, sso: code, sso_error: reason } = useSearch({ from: '/login' });
  const { history } = useRouter();
  const start = useMutation({
    mutationFn: () => session.startSso(),
    onSuccess: (url) => leaveForIssuer(url, to ?? '/'),
  });
  const exchange = useMutation({
    mutationFn: (text: string) => session.openBySso(text),
    onSuccess: () => history.replace(takeTarget()),
  });
  // A code is good once, and an effect may run twice.
  const sent = useRef<string>(undefined);
  const { mutate } = exchange;
  useEffect(() => {
    if (code === undefined || sent.current === code) return;
    sent.current = code;
    mutate(code);
  }, [code, mutate]);
  const sentence = reason === undefined ? undefined : findSentence(sso.reasons, reason);
  const error = start.error ?? exchange.error ?? (sentence === undefined ? null : new Error(sentence));
  return (
    <section className="flex flex-col gap-3">
      {error && !start.isPending && <ErrorNotice error={error} />}
      <Button
        disabled={start.isPending || start.isSuccess || exchange.isPending}
        onClick={() => start.mutate()}
      >
        {sso.button}
      </Button>
    </section>
  );
}

function findSentence(reasons: Readonly<Record<string, string>>, reason: string): string | undefined {
  return Object.hasOwn(reasons, reason) ? reasons[reason] : reasons['failed'];
}
