import { ApiError } from '../api/answer.js';
import { useMessages } from '../messages/use-messages.js';
import { useReasons } from '../messages/use-reasons.js';
import { Breakable } from './breakable.js';
import { Button } from './button.js';
import { CopyButton } from './copy-button.js';

interface ErrorNoticeProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** A failure in words, with the request id that an operator finds it by. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  const { errors, actions } = useMessages();
  // Whoever mistypes a password needs no id to ask an operator about.
  const isSignIn = error instanceof ApiError && error.reason === 'login_wrong';
  const requestId = error instanceof ApiError && !isSignIn ? error.requestId : undefined;
  return (
    <div role="alert" className="bg-bad-soft text-bad rounded-lg px-4 py-3">
      <p className="font-medium">{isSignIn ? errors.signIn : errors.title}</p>
      <p className="mt-0.5 text-pretty break-words">{useSentence(error)}</p>
      {requestId !== undefined && (
        <p className="mt-1 flex flex-wrap items-center gap-1 text-xs">
          {errors.requestId}{' '}
          <span className="flex min-w-0 items-center gap-1">
            <code className="wrap-anywhere font-mono">
              <Breakable text={requestId} />
            </code>
            <CopyButton text={requestId} />
          </span>
        </p>
      )}
      {onRetry && (
        <Button isSmall className="mt-2" onClick={onRetry}>
          {actions.retry}
        </Button>
      )}
    </div>
  );
}

/** What an error says to a reader. */
export function useSentence(error: unknown): string {
  const { errors } = useMessages();
  const sayReason = useReasons();
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.code === 'unreachable') return errors.unreachable;
  const said = sayReason(error);
  if (said !== undefined) return error.param === undefined ? said : `${error.param}：${said}`;
  return error.message === '' ? errors.unknown(error.status) : error.message;
}

/** Says what is wrong with a field, where an error names it. */
export function useFaults(error: unknown): (field: string) => string | undefined {
  const sayReason = useReasons();
  return (field) => {
    if (!(error instanceof ApiError) || !error.isOf(field)) return undefined;
    return sayReason(error) ?? error.fault;
  };
}
