import { Button } from '../../components/button.js';
import { useMessages } from '../../messages/use-messages.js';
import { type Span, SPANS } from './attempt-spans.js';

interface SpanChoiceProps {
  readonly span: Span;
  readonly onChoose: (span: Span) => void;
}

/** Whether the last hour or the last 24 hours are shown. */
export function SpanChoice({ span, onChoose }: SpanChoiceProps) {
  const { attempts: messages } = useMessages();
  return (
    <div role="group" aria-label={messages.span} className="flex gap-1">
      {SPANS.map((known) => (
        <Button
          key={known}
          isSmall
          kind={known === span ? 'primary' : 'plain'}
          aria-pressed={known === span}
          onClick={() => onChoose(known)}
        >
          {messages.spans[known]}
        </Button>
      ))}
    </div>
  );
}
