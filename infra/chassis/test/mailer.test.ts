import { MAIL_FROM, mailerConformance } from '../conformance/mailer.ts';
import { openSmtpMailer } from '../adapters/smtp/smtp.ts';

mailerConformance((smtpUrl) => openSmtpMailer({ smtpUrl, mailFrom: MAIL_FROM }));
