"""Words that labels and buttons are made of. A short finding that consists of them alone is no name.

Drawn from the words that browsers and administration pages repeat most, without those that are also given names or
surnames, and with what shops, dashboards and developer tools say. Data: sort it, keep it lower case.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import resources

UI_WORDS = frozenset(
    """
    able about absolute accept access accessed accessibility accessible accessing account accounts accurately across
    action actions activate active actively activities activity actual add added adding additional address addresses
    adjust admin administration administrator administrators adobe ads advanced affect affected affects affiliated
    after again against agent ago ahead ai aka alert alerts algorithm all allow allowed allowing allows already also
    alter alternative always am amazon amex amount analysis analyze and android angular annotation annotations
    annual another answer answers antivirus any anyone anything anytime anyway anywhere api apis apollo app appear
    appearance appears apple application applications applied apply approval approve apps apr april arabic archive
    are area aren arguments around arrange arrival arrivals arrow article asana ascending ask asked asking asks
    assist assistive associated attach attached attachment attacker attackers attacks attempted attention audio aug
    august authenticate authentication authorization auto autofill automated automatic automatically available
    avatar average away aws axis back background backlog backspace bad badge bag bags bank banner bar base based
    basic basket battery beans because become bed been before begin behalf behavior behind beige being below
    benefits best bestseller better between bibliography big bigquery billing bin bit bitbucket bits black blend
    block blocked blocker blocking blocks blog blue bluetooth board boards body bookmark bookmarklets bookmarks
    border borealis bot both bottle bottom bowl bowls box bps brainstorm branch branches brand brands breach
    breaches break breaking brown browse browser browsers browsing bubble bug bugs build builds built bundle
    business but button buttons buying cache cached calendar call calls camera cameras can cancel canceled cancelled
    cannot caption captions capture captured carafe card cards careers carousel cart case cast casting catalog
    catalogue categories category caused center ceramic certain certificate certificates chain chair chairs change
    changed changes changing channel chapter character characters charge charges chart chat chats chatting check
    checkbox checked checker checking checkout checks checkup chevron chinese chip choice choices choose chose
    chosen chrome chromeos chromium cipher city clean clear cleared cli click clicking client clipboard clock clone
    close closed closing cloud co-browsing code codes coffee collaborate collapse collapsed collect collected
    collection collections collects color colors colour column columns com come comes comfortable comma command
    comment comments commit commits common commonly communicate communicating company compare comparison complete
    completed components compromise compromised computer computers conditions confidential configuration configured
    confirm confirmation confirming conflicting connect connected connecting connection connections connectors
    console constraint constraints contact contacting contacts contain containing contains content contents context
    continue contrast control controlled controlling controls conversation conversations cookie cookies copied
    copies copy copying copyright core corner correct correctly corrupt corrupted cosmetic cotton could couldn count
    country coupon courier cover cpu crash crashed crashes create created creating credentials credit credits
    critical css csv curated currency current currently cursor curve custom customize customized cut daily dangerous
    dark dashboard data datadog date dates day days db deal deals debian debit debug debugging dec december
    deceptive decimal decline decode decrypt deep default defaults defect defects defined definition degrees delete
    deleted deletes deleting delivery denied departure departures deploy deployment deprecated descending describe
    description descriptions deselect design designed desk desktop destination destinations detail detailed details
    detect detected developer developers development device devices diagnostic dialog dictionary did didn diff
    different diffs digit digital dinosaur directions directly directory disable disabled disables disabling discard
    discord discount discover dish dishes disk dislike dismiss display displayed displays django dns doc docker docs
    document documentation documents docutils does doesn doing dollar dom domain done dots down downgrade download
    downloaded downloading downloads dpi draft drafts drag draggable drawer dress drive drop dropbox dropdown drops
    due duplicate duplicates duration during dutch dynatrace each easier easily east easy eavesdrop economy edge
    edit editing effect effects either elasticsearch eligibility eligible elliptic elp em email emails embed
    embedded emoji employer empty enable enabled encoded encrypt encrypted encryption end endpoint endpoints energy
    enforced engine engines english enhance enhanced enhancement enhancements enough enrolled enrollment ensure
    enter entered enterprise entire entries entry env environment epic equal erase errand errands error errors
    espresso eur euro even event events every everyday everyone exact example exceed exceeds excel except exchange
    exist existing exists exit exited expand expanding expected experience experiences experiment experimental
    experiments expiration expired expires explicitly explore export exported express extended extension extensions
    external extra face facebook failed failure false family faq fast faster favicon favorite feature featured
    features feb february feedback fetch few fewer field fields figma file files fill filled filling filter filters
    find finding finds fingerprint fingerprints finish firefox firewall first fitness fix fixed flag flagged flags
    flask flat flight focus folder folders follow followed following font fonts footer for forest forget forgot
    forgotten fork form format formatted formatting forms forward found four fps frame free freed french frequently
    fri friday friends from front full fullscreen fully function functionality functions further future gallery game
    games gb gbp gbps gcp gemini general generate generated generating generative geometry german get gets getting
    ghz gift github gitlab give gives giving glaze glazes glic gmail gnito going golang gold google got goto gourd
    gpu graph graphics graphql gray great greater green grey grid group groups guardian guest guide hand handle
    handler handlers handles hands happen happened happening harbour hard harmful has hash hat have haven header
    headers heading headset health heap height help helps here hidden hide hides high highlight history hold home
    homepage horizontally host hour hourly hours hover hovering how however hr hrs html http https hubspot human
    humans hz icon id ideas identifier identifiers identify identity idle ids ignore ignored image images imap
    immediately import important imported importing imprint improve improved inactive inbox include included
    includes including inco incognito incomplete incorrect index individual info information inner innovations input
    insecure insert insights inspiration instagram install installation installations installed installing
    installments instance instead instructions integer integrate integration integrations intellectual intended
    interact intercepting intercom interested internal internet into intranet intrusive invalid invitation invite
    invoice invoices ios ip isn isolated issue issued issuer issues italian item items its jacket jan january
    japanese jar jars java javascript jeans jira jobs join joined journey jpy json jug jugs jul july jump jun june
    just justification kafka kb kbps keep keeping keeps kept kettle key keyboard keys keyword khz kiln kind kiosk
    klarna know knowledge known korean kotlin kpi kubernetes label lamp lamps landscape language languages laptop
    large last later latest latte launch launcher launching layer layout leading learn least leather leave left
    legacy legal legend length less let lets letter letters level levels license licenses light like likely limit
    limited limiting limits line linen link linked linkedin links linux list listed listen lists live llm load
    loaded loading local locale located location locations lock locked log login logo logout logs long longer look
    looking looks lose lost low lower loyalty machine macos made mail main major make makes making malware manage
    managed management manager manages managing mandatory manifest manually many map maps mar march margin mark
    mastercard match matches matching mathematical max maximum may maybe mb mbps meadow mean means mechanism media
    median meet meeting meetings member members membership memory menu merchant merge merged message messages
    metadata method methods metric metrics mhz microphone microphones microsoft middle midnight might milestone
    milestones mimic min mind minimum minor mins minute minutes misconfiguration misleading missing mistakes ml
    mobile mobx modal mode model models modern modified modify module moment mon monday money mongodb monitored
    month monthly months mood moon more most motion mouse move moved movement moving ms mug mugs multiple music must
    mute muted myactivity mysql name named names namespace navbar navigate navigation navy nearby necessary need
    needed needs net netflix network networks never new newer newest newly news newsletter next ngrx nickname night
    no node non none nor normal normally north not note notes notice notification notifications notify notion nov
    november now npm null num number numbers oauth object objects occurred oct october off offer offers office
    offline often oil ok okay old once one ones online only ons open opened opening opens opera operating operation
    optimization optimize option optional options opy orange order orders organization organizations organized
    organizer origin original other others otherwise our out outcome outdated outer outline outlook output outside
    over overridden override overview own owner pac pack package padding page pages painting pair paired pairing
    panel paper paragraph parcel parent parsing part parties party passcode passes passkey passkeys passphrase
    passport password passwords past pasta paste pasting path pattern patterns pause paused pay payment payments
    paypal pdf pending people per percent perform performance period permanent permanently permission permissions
    person personal personalization personalize personalized phishing phone photo photos photoshop pick picker
    pickup picture pin pinch pinia pink pinned pipeline pizza place placeholder places plan plans planter platform
    play playback playing please plugin plugins pm png pocket point policies policy polite poll pop popover popular
    port portal portrait ports portuguese position possible post postal postgres postgresql pottery pound power
    powered powerful powerpoint practice practices precise preferences preferred preload preloaded preloading
    preloads premium present presentation presented presenting press prev prevent preview previous previously price
    prices pricing primary print printer printers printing priority privacy private privately pro probably problem
    proceed process processed processes processing product products professional profile profiles program programs
    progress project projects promo prompt prompts properly protect protected protection protects protocol protocols
    prove provide provided provider proxy pt public published pull purchase purchases purple push put px python qty
    quality quantity query question questions queued quick quicker quickly quiz quota radio rails ram random range
    rank rate rating ratings ratio raw reach reached react read reader readers reading ready real reality reason
    receive receiving recent recently recipe recognized recommend recommendation recommended recommends record
    recording recover recovery red redirect redirects redis redo redress redux reference referer refine refresh
    refund region register registered regression reimagine reinsert related relationship relaunch relay release
    releases relevant reload reloaded rely rem remain remaining remember reminder reminders remote remotely remove
    removed removing rename reopen replace replay reply repo report reported reporting reports repositories
    repository reprogram reprogramming request requested requesting requests require required requirements requires
    reservations reset resetting resistant resize resolution resource resources respond responding response
    responses responsible rest restart restaurants restore result results resume resumed retrieve retry return
    returned returns reuse reused revealing review reviewed reviewers reviews revisit revocation revoked rewards
    rewrite right risk risks roast robots role roles room root routine row rows ruby rug rule rules run running runs
    russian rust safari safe safely safer safety sale salesforce same saml sample sat saturday save saved saver
    saving savings say says scan scanned scanners scanning scans schedule scheme school score screen screenshot
    script scripts scroll scrolling scrubber sdk search searches searching seat seats sec seconds secs section
    secure securely security see seeing seen segment select selected selecting selection send sending sends
    sensitive sensors sent sentence sentry sep separate separated separately sept september serial serif server
    servers service services session sessions set setting settings setup shadow share shared shares sharing sheet
    sheets shelf shipments shipping shirt shirts shoe shoes shop shopify shopping short shortcut shortcuts shorten
    shorter should show showing shown shows showstopper side sidebar sign signature signed signin signing signup
    silver similar simplified simplify since single site sitemap sites size sizes skeleton skill skills skip sku sky
    slack slash sleep slide slider slides slightly slowly slug small smaller smart smarter smooth smtp snowflake
    social sofa software sold some someone something sometimes soon sorry sort sorted sorting sound source sources
    south space spam spanish speak special specific specified speech speed spell spelling spinner split spoken spot
    spotify spreadsheet sprint sql sqlite sso stacked staff standard star stars start started starting startup state
    statistics status stay ste steal steals step steps still stock stoneware stop stopped storage store stored
    stores street strict string strip stripe strong strongest strongly stuff style subdomains subheading subject
    submit submits submitted submitting subpage subscribe subtask subtasks subtotal succeeded success successful
    successfully such suffer suggest suggested suggestion suggestions suite sum summarize summary sun sunday
    superseded superuser support supported supports sure surroundings survey suspicious svelte svg swift swipe
    switch switching symbol sync synced syncing system tab table tables tablet tabs tag tags tailored take takeaways
    taken taking tampered tap target task taskbar tasks tax tb tea teach teacup teal team teams technology template
    templates temporarily temporary terms test testing tests text textarea than thanks that the their them theme
    themes then there these they things third this those thoughts thread threads threats three threshold through thu
    thumbnail thursday ticket tickets tier tiktok tile tiles time timed times timestamp timezone tip tips title
    titles toast today together toggle token tokens tomorrow tone too tool toolbar tools tooltip top topic total
    touch touchscreen trace track tracked tracker tracking traffic train trains transfer transferring transit
    translate translated translating translation transparent trash travel tray treated tree trello trend trending
    trial trick tried tries trip trouble true trust trusted try trying tue tuesday tumbler turn turned turning turns
    tutorial twice twitter two type typefaces types typescript typical typically uber ubuntu ui unable unavailable
    undefined under underscores understand undo unexpected unfamiliar uninstall uninstalled uninstalling unique
    unknown unless unlock unlocked unmute unnamed unpacked unpin unpinned unpublished unreachable unread unsafe
    unsaved unselect unsubscribe unsuccessful unsupported until unused unverified upcoming update updated updater
    updates updating upgrade upload uploaded uploading upper ups urgent uri url urls usage usd use used useful user
    username users uses using usually uuid ux valid validate validation validity value values van variables
    variations vase vases vat vehicle vendor verification verified verify verifying version versions vertical
    vertically very via video videos view viewed viewer viewing viewport views violate violates virtual virus visa
    visibility visible visit visited visiting visual visualize voice voices volume vote votes voucher vue vuex wait
    waiting wallet want wants warn warned warning warnings warns was waves way ways weak web webhook webhooks webkit
    webpage website websites wed wednesday week weekly weight well went were west what when whenever where whether
    which while white who why wide widget width will window windows wishlist with without won wontfix wool word
    wordpress words work worker workflow working works worksforme workspace workspaces would write writing wrong www
    xl xml xs xxl yaml year yearly years yellow yes yesterday yet you your yours yourself youtube zapier zendesk zip
    zoom zoomed zooming zustand
    """.split()  # noqa: SIM905
)

_TECHNOLOGY = frozenset(
    """
    aaa aria argv bak bool char clojure cobol cuda docutils elixir emacs erlang fortran fsharp graphviz groovy haskell haxe i18n int l10n latex
    lua makefile monospace nextcloud nim objc ocaml owncloud perl readme scala solidity sphinx sys tcl verilog vhdl
    webdav affero ai ajax amd antivirus apache arial ascii async aws axe azure babel bash bluetooth bokeh boolean bourne chrome
    chromecast chromium cjk cmd cookies css ctrl cyrillic devtools dom dvd ecmascript ethernet exif f1 f10 f11 f12 f2 f3 f4
    f5 f6 f7 f8 f9 ffmpeg fps freebsd ftp gdk gemini glib gnu gpl gtk gtk+ gzip hdmi helvetica hsl http2 https iana imap
    intl ipv ipv4 ipv6 ipython iso jinja jit jpeg json jsonp jupyter jwt katex kernel kernels ldap lgpl localhost mathjax
    matlab mime mp3 mp4 mpl mozilla mysql nfc nginx nodejs numpy omnibox oneplus opengis opengl opentype openssl pandas
    php png posix postgis postscript prometheus qr regex rgb rss rtl saml sass scss sftp smtp soap sqlite srid ssh ssl
    stderr stdin stdout svg sysrq tcp tiff tls tornado ttf tty udp unicode unix usb utc utf utf-8 vim wasm wayland wcag
    webassembly webgl webhook webp webrtc websocket wi-fi wifi wintab woff wsl xhtml xpath xwayland yaml zsh
    """.split()  # noqa: SIM905
)

LANGUAGES = frozenset(
    """
    afrikaans albanian algerian amharic arabic aragonese armenian assamese asturian azerbaijani basque belarusian bengali
    bokmål bosnian breton bulgarian burmese cantonese catalan cebuano chinese corsican croatian czech danish dutch english
    esperanto estonian faroese farsi filipino finnish flemish french frisian gaelic galician georgian german greek
    gujarati haitian hausa hawaiian hebrew hindi hmong hungarian icelandic igbo indonesian interlingua irish italian
    japanese javanese kabyle kannada kazakh khmer kinyarwanda korean kurdish kurmanji kyrgyz lao latin latvian lingala
    lithuanian luxembourgish macedonian malagasy malay malayalam maltese mandarin maori marathi mongolian nepali norwegian
    nynorsk occitan odia oriya pashto persian polish portuguese punjabi quechua romanian russian samoan sanskrit scots
    scottish serbian shona sindhi sinhala sinhalese slovak slovenian somali sorani sorbian spanish sundanese swahili
    swedish tagalog tajik tamil tatar telugu thai tibetan tigrinya turkish turkmen ukrainian urdu uyghur uzbek vietnamese
    welsh xhosa yiddish yoruba zulu brazilian british american european canadian australian mexican swiss austrian
    simplified traditional deutsch français español italiano português nederlands polski svenska dansk norsk suomi čeština
    magyar română türkçe ελληνικά русский українська български العربية עברית हिन्दी ไทย tiếng việt 中文 简体中文 繁體中文 日本語 한국어
    """.split()  # noqa: SIM905
)
"""Names of languages: in a label they are a choice of language, in a sentence they may say where someone comes from."""


@lru_cache(maxsize=1)
def common_words() -> frozenset[str]:
    """All words that a model's finding must not consist of: those of interfaces, of technology, and common ones, in five more languages too."""
    return english_words().union(*(lists["+:"] for lists in words_by_language().values()))


@lru_cache(maxsize=1)
def english_words() -> frozenset[str]:
    """Those of :func:`common_words` that are English, or of programs."""
    return UI_WORDS | TECHNOLOGY | _listed("common_words.txt") | _listed("interface_words.txt")


LONGEST_WORD = 64
"""Letters of the longest word: whatever is longer is none, and is not taken apart as one that was put together."""

KINDS = ("-:", "=:", "+:", "*:", "")
"""How lines of `foreign_words.txt` begin: endings; words that make sentences; nobody's in any text; counted ones; stems."""


@lru_cache(maxsize=1)
def words_by_language() -> dict[str, dict[str, frozenset[str]]]:
    """Language → kind of line → words of `foreign_words.txt`."""
    found: dict[str, dict[str, set[str]]] = {}
    lists: dict[str, set[str]] = {}
    for line in (
        resources.files("pagereel.redaction.words").joinpath("foreign_words.txt").read_text("utf-8").splitlines()
    ):
        if line.startswith("["):
            lists = found.setdefault(line.strip("[]"), {kind: set() for kind in KINDS})
        elif not line.startswith("#"):
            kind = line[:2] if line[:2] in KINDS else ""
            lists[kind].update(line[len(kind) :].split())
    return {name: {kind: frozenset(words) for kind, words in kinds.items()} for name, kinds in found.items()}


@lru_cache(maxsize=2)
def small_words_abroad(languages: frozenset[str] = frozenset()) -> frozenset[str]:
    """Return what sentences of other languages are held together by (``auf``, ``chez``), without what people are called. ``languages``: of these alone."""
    said = (lists["=:"] for name, lists in words_by_language().items() if not languages or name in languages)
    return frozenset().union(*said) - given_names()


@lru_cache(maxsize=8)
def function_words(use: str) -> frozenset[str]:
    """Return the words of `function_words.txt` that have this use: ``sentence``, ``small``, ``english``, ``company``, ``prose`` or ``choice``."""
    found: set[str] = set()
    text = resources.files("pagereel.redaction.words").joinpath("function_words.txt").read_text("utf-8")
    for line in text.splitlines():
        uses, colon, words = line.partition(":")
        if colon and not line.startswith("#") and use in uses.split():
            found.update(words.split())
    return frozenset(found)


@lru_cache(maxsize=1)
def nobodys_words() -> frozenset[str]:
    """Return words that are neither a given name nor a family's nor a town's."""
    return _listed("common_words.txt") | _listed("interface_words.txt")


NAMES_TOO = frozenset(
    """
    amber april art august baker bill blue brown black carol chase chip christian clay cliff coral crystal dale dean drew earl faith flora forest
    frank gene glen grace grant gray green guy harbour harper heath hope jack jade jasmine jean john jordan june king lane lee mark marina mason max
    may mike miles miller norm norman olive page park parker pat paris pearl peg penny pierce pink ray red reed rich rob rock rod rose ruby rusty
    sage sandy scarlett scott sky smith spencer stone sue summer taylor temple trace tyler victor violet wade walker ward wayne white will woods
    york young
    """.split()  # noqa: SIM905
)
"""Ordinary words that people are called by."""


@lru_cache(maxsize=1)
def given_names() -> frozenset[str]:
    """Given names that are common somewhere, without those that are common words as well."""
    return familiar_names() | (_listed("given_names_more.txt") - common_words())


@lru_cache(maxsize=1)
def familiar_names() -> frozenset[str]:
    """Those of :func:`given_names` that are names in a text without capitals, too."""
    return _listed("given_names.txt") - common_words()


@lru_cache(maxsize=1)
def products() -> frozenset[str]:
    """Return names of programs, services and formats: in a label nobody's, in a sentence a company's as well."""
    return _listed("products.txt")


@lru_cache(maxsize=1)
def web_words() -> frozenset[str]:
    """Return names and keywords of the web's languages."""
    return _listed("web_words.txt")


@cache
def lists_of(name: str, between: str | None = None) -> dict[str, frozenset[str]]:
    """Return the words of a file by their kind, for each of its lines is ``kind: words``. `between`: what stands between words that have blanks themselves."""
    found: dict[str, set[str]] = {}
    for line in resources.files("pagereel.redaction.words").joinpath(name).read_text("utf-8").splitlines():
        kind, colon, words = line.partition(": ")
        if colon and not line.startswith("#"):
            found.setdefault(kind, set()).update(map(str.strip, words.split(between)))
    return {kind: frozenset(words) for kind, words in found.items()}


def names_businesses(word: str) -> bool:
    """Return whether businesses and institutions are called by a word, in lower case, behind a name of their own: *brewing*, *infirmary*."""
    called = lists_of("businesses.txt")
    return any(word in called[kind] for kind in ("strong", "weak", "institution"))


def _listed(name: str) -> frozenset[str]:
    text = resources.files("pagereel.redaction.words").joinpath(name).read_text("utf-8")
    return frozenset(" ".join(line for line in text.splitlines() if not line.startswith("#")).split())


TECHNOLOGY = _TECHNOLOGY | _listed("software_words.txt")
"""Names of programs, formats, protocols and products: written with capitals, and nobody's name."""

_HUMP = re.compile(r"[A-Z]+(?![a-z])|[^\W\d_A-Z]+|[A-Z][^\W\d_A-Z]*|\d+")


@lru_cache(maxsize=20_000)
def known_word(word: str) -> bool:
    """Return whether a word, or each word of one in CamelCase, is one that everybody uses, too short to tell, or a number below 1,000."""
    return all((h.isdigit() and len(h) < 4) or len(h) < 3 or h.lower() in common_words() for h in _HUMP.findall(word))
