import { useMe, usePageSettings } from '../../api/use-me.js';
import { Card } from '../../components/card.js';
import { PageHeader } from '../../components/page-header.js';
import { useMessages } from '../../messages/use-messages.js';
import { PasswordForm } from './password-form.js';
import { SecondFactorCard } from './second-factor-card.js';
import { SessionsCard } from './sessions-card.js';
import { SsoCard } from './sso-card.js';

export function AccountView() {
  const { account: messages } = useMessages();
  const me = useMe();
  const settings = usePageSettings();
  return (
    <>
      <PageHeader title={messages.title} text={me.data && messages.text(me.data.email)} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title={messages.changePassword} note={messages.hint}>
          <PasswordForm />
        </Card>
        <SecondFactorCard />
        {settings.data?.sso === true && <SsoCard />}
        <div className="lg:col-span-2">
          <SessionsCard />
        </div>
      </div>
    </>
  );
}
