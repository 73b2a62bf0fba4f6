import { Link } from '@tanstack/react-router';
import { Card } from '../../components/card.js';
import { Icon } from '../../components/icon.js';
import { useMessages } from '../../messages/use-messages.js';

/** Leads to a first call; gone once there is one. */
export function FirstRun() {
  const { firstRun: messages } = useMessages();
  const steps = [
    { title: messages.signedIn, text: messages.signedInText, link: undefined },
    { title: messages.key, text: messages.keyText, link: { to: '/tokens', text: messages.keyLink } },
    { title: messages.call, text: messages.callText, link: { to: '/playground', text: messages.callLink } },
    { title: messages.logs, text: messages.logsText, link: { to: '/logs', text: messages.logsLink } },
  ] as const;
  return (
    <Card title={messages.title}>
      <ol className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {steps.map((step, index) => (
          <li key={step.title} className="flex gap-3">
            <span
              className={`flex size-6 shrink-0 items-center justify-center rounded-full text-xs font-semibold ${step.link ? 'bg-accent-soft text-accent' : 'bg-good-soft text-good'}`}
            >
              {step.link ? index + 1 : <Icon name="check" />}
            </span>
            <div className="flex flex-col gap-1">
              <p className="font-medium">{step.title}</p>
              <p className="text-muted text-xs leading-5">{step.text}</p>
              {step.link && (
                <Link
                  to={step.link.to}
                  className="text-accent mt-auto text-xs font-medium underline underline-offset-4"
                >
                  {step.link.text}
                </Link>
              )}
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
