"""The rules for secrets, as data: keys, tokens, passwords, one-time codes. :mod:`.secrets` applies them.

Two kinds of rules. A *shape* rule knows a token by its prefix and length alone. A *keyed* rule knows a value by what
stands before it (``password:``, ``Authorization: Bearer``, ``Your code is``). Only the secret itself is in the span, never
the word that gives it away, so that a masked page still says what was there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..words.hinted import Hinted


@dataclass(frozen=True, slots=True)
class Rule:
    """``name`` for reports; the secret is the group ``s`` or, without one, the whole match; ``hint``: a lower-case word
    without which the pattern cannot match (checked first, it is much cheaper).
    """

    name: str
    pattern: Hinted
    hint: tuple[str, ...] = ()
    entropy: float = 0.0
    entity: str = "SECRET"


def _rule(name: str, pattern: str, *hint: str, entropy: float = 0.0, flags: int = 0, entity: str = "SECRET") -> Rule:
    return Rule(name, Hinted(pattern, flags), hint, entropy, entity)


_I = re.IGNORECASE
_KEY = (
    r"(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_ .-]?key|apikey|access[_ .-]?key|secret[_ .-]?key|private[_ .-]?key|"
    r"client[_ .-]?secret|auth(?:[_ .-]?(?:token|key))|session(?:[_ .-]?(?:id|key|token))|sessid|csrf(?:[_ .-]?token)?|xsrf(?:[_ .-]?token)?|"
    r"credential|signature|sig|nonce|otp|pin|cvv2?|cvc2?|refresh[_ .-]?token|id[_ .-]?token|x-amz-(?:signature|credential|security-token))"
)

PASSWORD_WORDS = (
    r"\bcontraseña|\bclave(?:\s+(?:de\s+acceso|secreta))?|\bmot\s+de\s+passe|\b(?:passwort|kennwort|zugangscode)|\bsenha|\bpalavra-passe|\bparola(?:\s+d'ordine)?|"
    r"\bwachtwoord|\bhasło|\bheslo|\blösenord|\badgangskode|\bpassord|\bsalasana|\bşifre(?:niz)?|\bjelszó|\bmật\s+khẩu|\bkata\s+sandi|парол[ьяюе]м?|"
    r"κωδικός(?:\s+πρόσβασης)?|συνθηματικό|كلمة\s+(?:المرور|السر)|סיסמ[הא]|पासवर्ड|รหัสผ่าน|비밀번호|암호|密[码碼]|口令|パスワード|暗証番号"
)
"""What a password is called in languages other than English."""
CODE_WORDS = (
    r"\bcódigo\s+de\s+(?:verificación|verificação|confirmación|acceso|seguridad)|\bcode\s+de\s+(?:vérification|confirmation|sécurité)|\bvotre\s+code|\b(?:bestätigungs|sicherheits|verifizierungs|anmelde)code|"
    r"\bcodice\s+di\s+(?:verifica|conferma)|\bverificatiecode|\bkod\s+(?:weryfikacyjny|potwierdzający)|\bdoğrulama\s+kodu|код\s+(?:подтверждения|проверки|доступа|из)|ваш\s+код|"
    r"κωδικός\s+(?:επιβεβαίωσης|επαλήθευσης)|رمز\s+(?:التحقق|التأكيد|الدخول)|קוד\s+(?:אימות|אישור|כניסה)|सत्यापन\s+कोड|ओटीपी|รหัส(?:ยืนยัน|otp)|인증\s?(?:번호|코드)|验证码|驗證碼|校验码|認証コード|確認コード"
)
"""What a one-time code is called in languages other than English."""
_EXPIRY = r"(?:0?[1-9]|1[0-2])\s?[/-]\s?(?:20\d\d|\d\d)(?![\d/-])"

SHAPES: tuple[Rule, ...] = (
    _rule(
        "aws_key_id",
        r"\b(?:AKIA|ASIA|ABIA|ACCA|AROA|AIDA|AGPA|ANPA)[A-Z2-7]{16}\b",
        "akia",
        "asia",
        "abia",
        "acca",
        "aroa",
        "aida",
        "agpa",
        "anpa",
    ),
    _rule("jwt", r"\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?", "eyj"),
    _rule(
        "pem",
        r"-----BEGIN [A-Z0-9 ]*(?:PRIVATE KEY|CERTIFICATE|MESSAGE)[A-Z ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]+-----|\Z)",
        "-----begin",
    ),
    _rule("ssh_public", r"\bssh-(?:rsa|ed25519|dss) AAAA[\w+/=]{40,}", "ssh-"),
    _rule("slack", r"\bxox[abeoprs](?:\.xox[bp])?-[\w-]{8,}|\bxapp-\d-[\w-]{10,}", "xox", "xapp-"),
    _rule("slack_hook", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<s>[\w/]{20,})", "hooks.slack"),
    _rule("discord_hook", r"discord(?:app)?\.com/api/webhooks/(?P<s>\d+/[\w-]{20,})", "webhooks"),
    _rule("github", r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{20,})", "gh", "github_pat"),
    _rule("gitlab", r"\bgl(?:pat|dt|rt|cbt|ptt|ft|soat|oas|agent|imt)-[\w-]{16,}", "gl"),
    _rule("stripe", r"\b(?:[sr]k|pk|whsec)_(?:(?:live|test|prod)_)?[A-Za-z0-9]{16,}", "k_", "whsec"),
    _rule("google", r"\bAIza[\w-]{30,}", "aiza"),
    _rule("google_oauth", r"\bya29\.[\w-]{20,}|\bGOCSPX-[\w-]{20,}|\b1//0[\w-]{30,}", "ya29", "gocspx", "1//0"),
    _rule("model_key", r"\bsk-(?:ant-|proj-|svcacct-|or-v1-)?[\w-]{20,}", "sk-"),
    _rule("hugging_face", r"\bhf_[A-Za-z0-9]{20,}", "hf_"),
    _rule("npm", r"\bnpm_[A-Za-z0-9]{30,}", "npm_"),
    _rule("pypi", r"\bpypi-[\w-]{40,}", "pypi-"),
    _rule("sendgrid", r"\bSG\.[\w-]{16,}\.[\w-]{16,}", "sg."),
    _rule("mailgun", r"\bkey-[0-9a-f]{32}\b", "key-"),
    _rule("twilio", r"\b(?:SK|AC)[0-9a-f]{32}\b", "sk", "ac"),
    _rule("shopify", r"\bshp(?:at|ca|pa|ss)_[0-9A-Fa-f]{32}", "shp"),
    _rule("square", r"\bsq0[a-z]{3}-[\w-]{22,}|\bEAAA[\w-]{56,}", "sq0", "eaaa"),
    _rule("digitalocean", r"\bdo[opr]_v1_[0-9a-f]{64}", "_v1_"),
    _rule("databricks", r"\bdapi[0-9a-f]{32}", "dapi"),
    _rule("telegram", r"\b\d{8,10}:AA[\w-]{32,}", ":aa"),
    _rule("age_key", r"\bAGE-SECRET-KEY-1[0-9A-Z]{50,}", "age-secret"),
    _rule("vault", r"\bhv[sb]\.[\w-]{20,}", "hvs.", "hvb."),
    _rule(
        "azure_key",
        r"\b(?:Account|SharedAccess|Shared|Primary|Secondary)Key[\"']?\s*[:=]\s*[\"']?(?P<s>[A-Za-z0-9+/]{20,}={0,2})|(?<![\w+/])[A-Za-z0-9+/]{86}==(?![\w=])",
        "key",
        "==",
    ),
    _rule("azure_secret", r"(?<![\w~.-])[\w~.-]{3}\dQ~[\w~.-]{31,34}(?![\w~-])", "q~"),
    _rule(
        "prefixed",
        r"\b[a-z]{2,10}_(?:[a-z]{2,6}_)?(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[a-z])[A-Za-z0-9]{20,}\b",
        "_",
        entropy=3.8,
    ),
    _rule("hash", r"\$2[aby]\$\d\d\$[./A-Za-z0-9]{53}|\$argon2(?:id|i|d)\$[^\s\"']+", "$2", "$argon2"),
)

KEYED: tuple[Rule, ...] = (
    _rule("userinfo", r"\b[a-z][a-z0-9+.-]{1,20}://(?P<s>[^\s/?#\"'<>@]+(?::[^\s/?#\"'<>]*)?)@", "://", flags=_I),
    _rule("userinfo_bare", r"(?<![\w@:/])(?P<s>[\w.%+-]{1,40}:[^\s:@/\"'<>]{1,60})@[\w-]+(?:\.[\w-]+)+", "@"),
    _rule("bearer", r"\bbearer\s+(?!token\b|auth\b|authentication\b)(?P<s>[\w.~+/=-]{8,})", "bearer", flags=_I),
    _rule(
        "basic",
        r"\bbasic\s+(?P<s>(?=[A-Za-z0-9+/]*(?-i:[A-Z0-9+/=]))(?!(?-i:[A-Z]?[a-z]+|[A-Z]+)\b(?!=))[A-Za-z0-9+/]{7,}={0,2})(?![\w+/=])",
        "basic",
        flags=_I,
    ),
    _rule(
        "digest",
        r"\b(?:digest|negotiate|ntlm|aws4-hmac-sha256)\s+(?P<s>[\w+/=,\"-]*[=/\d][^\n]{12,})",
        "digest",
        "negotiate",
        "ntlm",
        "aws4",
        flags=_I,
    ),
    _rule(
        "authorization",
        r"\b(?:proxy-)?authorization[\"']?\s*[:=]\s*[\"']?(?:[A-Za-z][\w-]*\s+)?(?P<s>[^\s\"',;]{6,})",
        "authorization",
        flags=_I,
    ),
    _rule("cookie", r"\b(?:set-)?cookie[\"']?\s*:\s*[\"']?(?P<s>[\w.%-]+=[^\n\"']+)", "cookie", flags=_I),
    _rule(
        "session_pair",
        r"\b(?:[\w.-]*sess(?:ion)?(?:id)?|jsessionid|phpsessid|connect\.sid|[\w-]*auth[\w-]*|sid)=(?P<s>[\w.%+/-]{8,}=*)",
        "ses",
        "sid",
        "auth",
        flags=_I,
    ),
    _rule(
        "otp",
        r"(?<!zip )(?<!postal )(?<!post )(?<!error )(?<!status )(?<!area )(?<!country )(?<!exit )(?<!response )(?<!sort )(?<!product )\b(?:code|otp|passcode|pin|one[- ]time (?:pass(?:word|code)|code)|2fa|mfa|tan)\b[^\n\d]{0,30}?(?<![\d#])(?P<s>\d{3,4}(?:[- ]\d{3,4}){1,3}|\d{2}(?:[- ]\d{2}){2,3}|\d{4,8})(?![\d.,]*\d|[- ]\d)",
        "code",
        "otp",
        "pin",
        "one-time",
        "one time",
        "2fa",
        "mfa",
        "tan",
        flags=_I,
    ),
    _rule(
        "backup_code",
        r"\b(?:backup|recovery|verification|security|login|log-in|sign-in|activation|access|unlock|pairing|gift(?:[ -]card)?)[ -]codes?\b[^\n\w]{0,4}(?:is\s+)?(?P<s>(?=[A-Za-z-]*\d)[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,5})(?![\w-])",
        "code",
        flags=_I,
    ),
    _rule(
        "otp_languages",
        rf"(?:{CODE_WORDS})[^\n\d]{{0,16}}(?P<s>\d{{3}}[- ]?\d{{3}}|\d{{4,8}})(?![\d.,]*\d)",
        "códig",
        "code",
        "codice",
        "kod",
        "код",
        "κωδικ",
        "رمز",
        "קוד",
        "कोड",
        "ओटीपी",
        "รหัส",
        "인증",
        "验证",
        "驗證",
        "校验",
        "認証",
        "確認",
        flags=_I,
    ),
    _rule(
        "otp_languages_before",
        r"(?<![\d#])(?P<s>\d{4,8})\s?(?:是|为|は|が|—|-|–|это|est|es|ist|é|è)[^\n]{0,24}(?:код|code|código|codice|验证码|驗證碼|認証コード|確認コード)",
        "cod",
        "cód",
        "код",
        "验证",
        "驗證",
        "認証",
        "確認",
        flags=_I,
    ),
    _rule(
        "otp_before",
        r"(?<![\d#])(?P<s>\d{3}[- ]?\d{3}|\d{4,8})\s+is\s+(?:your|the)\b[^\n]{0,40}\b(?:code|otp|pin|passcode)",
        " is ",
        flags=_I,
    ),
    _rule("google_code", r"\b(?P<s>[A-Z]-\d{5,8})\b(?=[^\n]{0,40}\bcode)", "code"),
    _rule(
        "cvv",
        r"\b(?:cvv2?|cvc2?|cvn2?|csc|cid|(?:card )?security (?:code|number)|card verification(?: (?:value|code|number))?|código de seguridad|prüf(?:nummer|ziffer)|kartenprüfnummer|cryptogramme|codice di sicurezza|安全码|セキュリティコード)(?![^\W\d_])[^\n\d]{0,16}(?P<s>\d{3,4})\b",
        "cv",
        "cid",
        "csc",
        "security",
        "seguridad",
        "prüf",
        "crypto",
        "sicurezza",
        "安全码",
        "セキュ",
        "verification",
        flags=_I,
        entity="CVV",
    ),
    _rule(
        "card_expiry",
        rf"(?:\b(?:exp(?:iry|ires?|iration)?(?:\s+date)?|valid\s+(?:thru|through|until|to)|good\s+thru|gültig\s+bis|caduca|caducidad|vencimiento|validade|scadenza|expire\s+(?:le|fin))\b\.?|срок\s+действия|有效期|有効期限|유효기간)[^\n\d]{{0,12}}(?P<s>{_EXPIRY})",
        "exp",
        "val",
        "thru",
        "gültig",
        "caduc",
        "venc",
        "scad",
        "срок",
        "有",
        "유효",
        flags=_I,
        entity="DATE_TIME",
    ),
    _rule("card_expiry_after", rf"(?:\d[ -]?){{12,18}}\d[^\n\d]{{1,24}}(?P<s>{_EXPIRY})", "/", entity="DATE_TIME"),
    _rule(
        "cvv_after",
        rf"(?:\d[ -]?){{12,18}}\d[^\n\d]{{1,24}}{_EXPIRY}[^\n\d]{{1,16}}(?P<s>\d{{3,4}})(?![\d/.-])",
        "/",
        entity="CVV",
    ),
    _rule(
        "last4",
        r"\b(?:ending|ends|ended)\s+(?:in|with)\s*:?[\s•*x·⋯-]*(?P<s>\d{4}\b|\d{2,3}\b(?!\s*[A-Za-z%]))|(?:(?<![•*x·])[•*x·]{2,}|⋯)[\s-]*(?P<s2>\d{4}\b|\d{2,3}\b(?!\s*[A-Za-z%]))",
        "end",
        "•",
        "*",
        "·",
        "⋯",
        "xx",
        flags=_I,
        entity="CREDIT_CARD",
    ),
    _rule(
        "last4_ending",
        r"\b(?:card|visa|master\s?card|amex|maestro|account|acct|debit|credit|iban|phone|mobile|number)[^\n.;\d]{0,24}?[\s(]ending:?[\s•*x·⋯-]+(?P<s>\d{4})(?![\w-])",
        "ending",
        flags=_I,
        entity="CREDIT_CARD",
    ),
    _rule(
        "last4_words",
        r"\b(?:last|final)\s+(?:4|four)(?:\s+digits?)?(?:\s+(?:of|on)\s+[^\n\d]{1,30}?)?\s*(?:are|is|was|were|[:=#(-])?\s*(?P<s>\d{4})(?![\d-])",
        "last",
        "final",
        flags=_I,
        entity="CREDIT_CARD",
    ),
    _rule(
        "last4_brand",
        r"\b(?:visa|master\s?card|amex|american\s+express|maestro|girocard|discover\s+card|rupay|unionpay)(?:\s+(?:card|debit|credit))?[^\w\n]{1,6}(?P<s>\d{4})(?![\d-]|[^\S\n]+\d)|\b(?:card|account|acct)(?:\s+(?:no|number))?\.?\s*(?:\(|\.{2,4}|…|x+|\*+|#)\s*(?P<s2>\d{4})(?![\d-])",
        "visa",
        "master",
        "amex",
        "american",
        "maestro",
        "giro",
        "discover",
        "rupay",
        "union",
        "card",
        "acc",
        flags=_I,
        entity="CREDIT_CARD",
    ),
    _rule(
        "last4_languages",
        r"(?:termina(?:da|do|ndo)?\s+(?:en|em|con|in)|que\s+termina\s+en|endet\s+(?:auf|mit)|endend\s+auf|(?:se\s+)?terminant\s+par|eindigend\s+op|eindigt\s+op|końcówk[ai]|оканчива\w*\s+на|尾号(?:为|是)?|末尾|下\s?4\s?桁|끝자리)[^\n\w]{0,6}(?P<s>\d{4})(?!\d)",
        flags=_I,
        entity="CREDIT_CARD",
    ),
    _rule(
        "keyed",
        r"(?:^|[^A-Za-z0-9]|(?<=[a-z0-9])(?=[A-Z]))[\w.-]{0,60}?"
        + _KEY
        + r"[\"']?\s{0,3}(?:[:=]|=>|\bis\b:?|\bwas\b)\s{0,3}(?P<q>[\"'`])?(?P<s>(?(q)(?:(?!(?P=q))[^\n\\]|\\.){1,200}|[^\s\"'`,;&<>]{3,200}))",
        flags=_I,
    ),
    _rule(
        "keyed_languages",
        rf"(?:{PASSWORD_WORDS})(?![a-zß-ÿа-яα-ώ]{{2}})[^\S\n]{{0,2}}(?:(?:\([^()\n]{{1,20}}\))?[^\S\n]{{0,2}}[:=]|\b(?:es|est|ist|lautet|è|é|is|jest|to|это|είναι|הוא|היא|هي|है)\b:?|[是为は]|입니다)[^\S\n]{{0,3}}(?P<q>[\"'`«„“])?(?P<s>[^\s\"'`,;&<>»“”。、，\u3041-\u309f\uac00-\ud7af]{{3,200}})",
        "contra",
        "clave",
        "passe",
        "passw",
        "kennw",
        "zugang",
        "senha",
        "parola",
        "wachtw",
        "hasło",
        "heslo",
        "lösen",
        "adgang",
        "passord",
        "salasana",
        "şifre",
        "jelsz",
        "khẩu",
        "sandi",
        "парол",
        "κωδικ",
        "συνθ",
        "كلمة",
        "סיסמ",
        "पासव",
        "รหัส",
        "비밀",
        "암호",
        "密",
        "口令",
        "パス",
        "暗証",
        flags=_I,
    ),
    _rule(
        "password_alone",
        r"(?<!\S)(?=\S*[a-z])(?=\S*[A-Z])(?=\S*\d)(?=\S*[!@#$%^&*?])[^\s<>{}()=:/,;\"'`]{10,40}(?!\S)",
        entropy=2.8,
    ),
    _rule(
        "password_after",
        r"\b(?:password|passphrase|passcode)\s+(?P<s>(?=\S*[\d!@#$%^&*_])[^\s\"'<>,;]{6,64})",
        "pass",
        flags=_I,
    ),
)
