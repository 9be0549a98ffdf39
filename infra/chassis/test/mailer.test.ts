import { MAIL_FROM, mailerConformance } from '../conformance/mailer.ts';
import { openSmtpMailer } from '../mail/smtp.ts';

mailerConformance((smtpUrl) => openSmtpMailer({ smtpUrl, mailFrom: MAIL_FROM }));
