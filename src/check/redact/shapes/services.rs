//! Shapes of other services: payment, messages, mail, documents, monitoring.

use super::Shape;

pub(super) const SHAPES: &[Shape] = &[
    ("stripe-key", r"<(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{16,}"),
    ("webhook-secret", r"<whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    ("square-token", r"<sq0[a-z]{3}-[A-Za-z0-9_-]{22,}"),
    // Base64 is full of this beginning, so it has to stand apart.
    ("square-token", r"(?:^|[^A-Za-z0-9+/_-])(EAAA[A-Za-z0-9_-]{60})"),
    ("braintree-token", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    ("shopify-token", r"<shp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}"),
    ("slack-token", r"<xox[a-z](?:\.xox[bp])?-[A-Za-z0-9-]{10,}"),
    ("slack-token", r"<xapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[0-9a-z]{32,}"),
    ("slack-webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9+/]{36,})"),
    ("discord-token", r"<[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,38}"),
    ("discord-webhook", r"discord(?:app)?\.com/api/webhooks/([0-9]{15,}/[A-Za-z0-9_-]{60,})"),
    ("teams-webhook", r"\.webhook\.office\.com/webhookb2/([A-Za-z0-9@/-]{60,})"),
    ("telegram-token", r"<[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    ("twilio-key", r"<SK[0-9a-f]{32}"),
    ("sendgrid-key", r"<SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}"),
    // A digest with something in front of it is a secret only where the service is named, and right behind it only there: what is
    // between must not hold another.
    ("mailgun-key", r"(?i)mailgun[^\n]{0,60}?\b(key-[0-9a-f]{32})"),
    ("mailgun-key", r"(?i)\b(key-[0-9a-f]{32})[^\n]{1,24}?mailgun"),
    ("mailchimp-key", r"(?i)mailchimp[^\n]{0,60}?\b([0-9a-f]{32}-us[0-9]{1,2})"),
    ("mailchimp-key", r"(?i)\b([0-9a-f]{32}-us[0-9]{1,2})[^\n]{1,24}?mailchimp"),
    ("brevo-key", r"<x(?:keysib|smtpsib)-[0-9a-f]{64}-[A-Za-z0-9]{16}"),
    ("resend-key", r"<re_[A-Za-z0-9]{8}_[A-Za-z0-9]{24}"),
    ("notion-token", r"<(?:ntn|secret)_[A-Za-z0-9]{43,}"),
    ("linear-key", r"<lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    ("airtable-token", r"<pat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    ("asana-token", r"<[0-9]/[0-9]{16}(?:/[0-9]{16})?:[0-9a-f]{32}"),
    ("figma-token", r"<fig[dorp][a-z]?_[A-Za-z0-9_-]{40,}"),
    ("postman-key", r"<PMAK-[0-9a-f]{24}-[0-9a-f]{34}"),
    ("grafana-token", r"<glc_[A-Za-z0-9+/]{32,}={0,2}"),
    ("grafana-token", r"<glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    ("newrelic-key", r"<NRAK-[A-Z0-9]{27}"),
    ("newrelic-key", r"<NR(?:II|JS|RA)-[A-Za-z0-9_-]{19,}"),
    ("sentry-token", r"<sntr[yu]s?_[A-Za-z0-9+/=_-]{40,}"),
    ("posthog-key", r"<ph[cx]_[A-Za-z0-9]{40,}"),
    ("dynatrace-token", r"<dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    (
        "launchdarkly-key",
        r"(?i)launch.?darkly[^\n]{0,60}?\b((?:sdk|api|mob)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})",
    ),
    ("contentful-token", r"<CFPAT-[A-Za-z0-9_-]{43}"),
    ("adafruit-key", r"<aio_[A-Za-z0-9]{28}"),
    ("easypost-key", r"<EZ[AT]K[A-Za-z0-9]{54}"),
    ("prefect-key", r"<pn[bu]_[A-Za-z0-9]{36}"),
    ("mapbox-token", r"<sk\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),
    ("readme-key", r"<rdme_[a-z0-9]{70}"),
];
