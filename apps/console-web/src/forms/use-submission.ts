import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/answer.js';
import { showToast } from '../components/show-toast.js';

interface SubmissionOptions<Sent> {
  readonly send: (sent: Sent) => Promise<unknown>;
  readonly done?: ((sent: Sent) => string) | undefined;
  readonly onDone?: (() => void) | undefined;
  /** Shows that the API refused a parameter at the field for it. @returns whether there is one. */
  readonly showAtField: (param: string) => boolean;
}

/** Sends what a form holds, and knows why it was refused. */
export function useSubmission<Sent>({ send, done, onDone, showAtField }: SubmissionOptions<Sent>) {
  const [refusal, setRefusal] = useState({ count: 0, isAtField: false });
  const { error, isPending, reset, mutateAsync } = useMutation({
    // What is sent may be a secret, so it is no variable, which would be kept as long as the form is shown.
    mutationFn: (sendIt: () => Promise<void>) => sendIt(),
    gcTime: 0,
    onError: (reason) => {
      const param = reason instanceof ApiError ? reason.param : undefined;
      const isAtField = Boolean(param) && showAtField(param ?? '');
      setRefusal(({ count }) => ({ count: count + 1, isAtField }));
    },
  });
  return {
    error,
    isPending,
    reset,
    /** Whether a field was named by the refusal. */
    isAtField: refusal.isAtField,
    /** How often it was refused. */
    refusals: refusal.count,
    submit: async (sent: Sent): Promise<void> => {
      const unsent: { body?: Sent } = { body: sent };
      const sendIt = async () => {
        const { body } = unsent;
        delete unsent.body;
        if (body === undefined) return;
        await send(body);
        if (done) showToast(done(body));
        onDone?.();
      };
      await mutateAsync(sendIt).catch(() => undefined);
    },
  };
}
