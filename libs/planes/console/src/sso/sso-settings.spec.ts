import { readEnvironment } from '@mg/contract';
import { expect, it } from 'vitest';
import { readSsoSettings } from './sso-settings.js';

const COMPLETE = {
  OIDC_ISSUER: 'https://login.example.com',
  OIDC_CLIENT_ID: 'console',
  OIDC_CLIENT_SECRET: 'a secret',
  OIDC_REDIRECT_URL: 'https://console.example.com/api/v1/auth/sso/callback',
};

it('is off without settings, and wants all of them', () => {
  expect(readSsoSettings(readEnvironment({}))).toBeUndefined();
  expect(readSsoSettings(readEnvironment(COMPLETE))).toEqual({
    issuer: COMPLETE.OIDC_ISSUER,
    clientId: COMPLETE.OIDC_CLIENT_ID,
    clientSecret: COMPLETE.OIDC_CLIENT_SECRET,
    redirectUrl: COMPLETE.OIDC_REDIRECT_URL,
    scopes: undefined,
    roleRules: { administrator: undefined, member: undefined },
  });
  const incomplete = readEnvironment({ ...COMPLETE, OIDC_CLIENT_SECRET: '', OIDC_REDIRECT_URL: '' });
  expect(() => readSsoSettings(incomplete)).toThrow('OIDC_CLIENT_SECRET, OIDC_REDIRECT_URL: required');
});

it('reads which claims make an administrator and a member, values with signs of their own too', () => {
  const environment = readEnvironment({
    ...COMPLETE,
    OIDC_ADMINISTRATOR_CLAIM: 'groups=cn=gateway admins,ou=groups',
    OIDC_MEMBER_CLAIM: 'https://example.com/staff=true',
    OIDC_SCOPES: 'groups offline_access',
  });
  expect(readSsoSettings(environment)).toMatchObject({
    scopes: 'groups offline_access',
    roleRules: {
      administrator: { name: 'groups', value: 'cn=gateway admins,ou=groups' },
      member: { name: 'https://example.com/staff', value: 'true' },
    },
  });
});

it('wants the issuer where claims are named', () => {
  const alone = readEnvironment({ OIDC_ADMINISTRATOR_CLAIM: 'groups=admins' });
  expect(() => readSsoSettings(alone)).toThrow('OIDC_ISSUER');
});

it.each([
  ['OIDC_ADMINISTRATOR_CLAIM', 'groups'],
  ['OIDC_ADMINISTRATOR_CLAIM', '=admins'],
  ['OIDC_MEMBER_CLAIM', 'groups='],
  ['OIDC_SCOPES', 'groups  email'],
  ['OIDC_ISSUER', 'http://login.example.com'],
  ['OIDC_ISSUER', 'login.example.com'],
  ['OIDC_REDIRECT_URL', 'https://console.example.com/'],
  ['OIDC_REDIRECT_URL', 'https://console.example.com/api/v1/auth/sso/callback?to=x'],
  ['OIDC_REDIRECT_URL', 'https://user@console.example.com/api/v1/auth/sso/callback'],
])('refuses %s=%s', (name, value) => {
  expect(() => readEnvironment({ ...COMPLETE, [name]: value })).toThrow(name);
});

it('takes an issuer of this machine over plain HTTP', () => {
  const environment = readEnvironment({ ...COMPLETE, OIDC_ISSUER: 'http://127.0.0.1:9000' });
  expect(readSsoSettings(environment)?.issuer).toBe('http://127.0.0.1:9000');
});
