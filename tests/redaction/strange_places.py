"""Places of a page in which a person's value can stand: each has a value of its own, which nothing else in the recording tells.

A place is markup, a script, an answer of the server, something that the agent does, or several of these; `strange_values` has the spellings.
`strange_traffic` and `strange_acts` have the places beside the page.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.redaction.strange_values import Value


@dataclass(frozen=True)
class Answer:
    """What the server says at a place's own address."""

    mime: str
    body: str | Callable[[Value], bytes]
    headers: dict[str, str] = field(default_factory=dict)
    status: int = 200
    reason: str = "OK"


@dataclass(frozen=True)
class Place:
    """Where a value stands. `script`: the body of an async function of the page, in which `at` is the place's own address."""

    name: str
    kind: str
    markup: str = ""
    head: str = ""
    script: str = ""
    answer: Answer | None = None
    act: Callable[[Any, Any, Value], None] | None = None
    traces: tuple[str, ...] = ()


PLACES: list[Place] = []


def in_markup(name: str, kind: str, markup: str, *traces: str, script: str = "") -> None:
    PLACES.append(Place(name, kind, markup=markup, traces=traces, script=script))


def in_head(name: str, kind: str, head: str, *traces: str, markup: str = "") -> None:
    PLACES.append(Place(name, kind, head=head, markup=markup, traces=traces))


# Drawings and formulas.
in_markup("mathml-mtext", "name", "<math><mtext>Approved by «v»</mtext></math>")
in_markup("mathml-letters", "name", "<math><mrow>«mi»</mrow></math>")
in_markup("mathml-annotation", "name", "<math><semantics><mi>x</mi><annotation encoding='application/x-tex'>\\text{«v»}</annotation></semantics></math>")  # fmt: skip
in_markup("svg-title", "name", "<svg width=40 height=20><title>«v»</title><rect width=9 height=9 /></svg>")
in_markup("svg-desc", "mail", "<svg width=40 height=20><desc>Drawn for «v»</desc></svg>")
in_markup("svg-glyphs", "name", "<svg width=300 height=20><text y=12>«glyphs»</text></svg>")
in_markup("svg-text-path", "street", "<svg width=300 height=20><path id=p1 d='M0 9H300'/><text><textPath href='#p1'>«v»</textPath></text></svg>")  # fmt: skip
in_markup("svg-link-title", "name", "<svg width=40 height=20><a xlink:title='«v»' href='#x'><circle r=4 /></a></svg>")
in_markup("svg-metadata", "name", "<svg width=9 height=9><metadata><rdf:RDF xmlns:rdf='r'><dc:creator xmlns:dc='d'>«v»</dc:creator></rdf:RDF></metadata></svg>")  # fmt: skip
in_markup("svg-set-label", "name", "<svg width=9 height=9><rect width=9 height=9><set attributeName='aria-label' to='«v»'/></rect></svg>")  # fmt: skip
in_markup("svg-foreign-object", "phone", "<svg width=200 height=20><foreignObject width=200 height=20><p>«v»</p></foreignObject></svg>")  # fmt: skip
in_markup("svg-data-address", "name", "<img alt='' src=\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='300' height='20'%3E%3Ctext y='12'%3E«u»%3C/text%3E%3C/svg%3E\">")  # fmt: skip
in_markup("svg-symbol-id", "name", "<svg width=9 height=9><symbol id='«slug»'><circle r=3 /></symbol><use href='#«slug»'/></svg>")  # fmt: skip

# Style sheets.
in_markup("css-variable", "name", "<p style=\"--owner: '«v»'\">Row</p>")
in_markup("css-variable-bare", "phone", "<p style='--callback: «v»'>Row</p>")
in_head("css-content", "name", "<style>.c1::after{content:'Assigned to «v»'}</style>", markup="<p class=c1>Ticket</p>")
in_head("css-content-escapes", "name", "<style>.c2::after{content:'«css»'}</style>", markup="<p class=c2>Ticket</p>")
in_head("css-content-mail", "mail", "<style>.c3::before{content:'«v»'}</style>", markup="<p class=c3>Reply to</p>")
in_head("css-counter-style", "name", "<style>@counter-style cs{system:extends decimal;prefix:'«v» '}.c4{list-style:cs}</style>", markup="<ol class=c4><li>one</ol>")  # fmt: skip
in_head("css-marker", "name", "<style>.c5 li::marker{content:'«v»: '}</style>", markup="<ul class=c5><li>approved</ul>")
in_markup("css-list-style", "name", "<ul style=\"list-style-type:'«v» '\"><li>approved</ul>")
in_markup("css-quotes", "name", "<q style=\"quotes:'«v» says: ' 'end'\">fine</q>")
in_head("css-comment", "name", "<style>/* sheet of customer «v», do not touch */.c6{color:teal}</style>")
in_head("css-font-family", "name", "<style>@font-face{font-family:'«v» Handwriting';src:local('«v» Hand')}.c7{font-family:'«v» Handwriting'}</style>")  # fmt: skip
in_head("css-view-transition", "name", "<style>.c8{view-transition-name:«slug»}::view-transition-group(«slug»){animation-duration:1s}</style>")  # fmt: skip
in_head("css-anchor-name", "name", "<style>.c9{anchor-name:--«slug»}.c10{position-anchor:--«slug»}</style>")
in_head("css-keyframes", "name", "<style>@keyframes «slug»{to{opacity:.9}}.c11{animation:«slug» 1s}</style>")
in_head("css-highlight", "name", "<style>::highlight(«slug»){color:red}</style>")
in_head("css-print", "street", "<style>@media print{.c12::after{content:'Ship to «v»'}}</style>")
in_head("css-import", "name", "<style>@import url('/none.css?owner=«u»');</style>")
in_head("css-namespace", "mail", "<style>@namespace p url('mailto:«v»');</style>")
in_head("css-attribute-selector", "name", "<style>[data-owner='«v»']{color:red}</style>")
in_head("css-state", "name", "<style>x-row:state(«slug»){color:red}</style>")
in_head("css-layer", "name", "<style>@layer «slug»;@container «slug» (width>1px){p{margin:0}}</style>")
in_head("css-escaped-class", "mail", "<style>.mail-«first»\\.«last»\\@firm\\.net{color:red}</style>")
in_markup(
    "css-background", "name", "<div style=\"width:9px;height:9px;background:url('/img/passport «v».png')\"></div>"
)
in_markup(
    "css-data-svg", "name", '<div style="width:9px;height:9px;background:url(data:image/svg+xml;base64,«svg_b»)"></div>'
)
in_markup("css-grid-area", "name", "<div style='display:grid;grid-template-areas:\"«slug» side\"'><i style='grid-area:«slug»'>x</i></div>")  # fmt: skip
in_markup("constructed-sheet", "name", "<p class=c13>Row</p>", script="const s=new CSSStyleSheet();s.replaceSync(\".c13::after{content:'«v»'}\");document.adoptedStyleSheets.push(s)")  # fmt: skip
in_markup("registered-property", "name", "<p class=c14>Row</p>", script="CSS.registerProperty({name:'--who-«slug»',syntax:'*',inherits:false,initialValue:'«v»'})")  # fmt: skip

# Names, attributes, what assistive technology reads.
in_markup("aria-roledescription", "name", "<div role=group aria-roledescription='card of «v»'>x</div>")
in_markup("aria-description", "street", "<button aria-description='Deliver to «v»'>Go</button>")
in_markup("aria-placeholder", "name", "<div role=textbox contenteditable aria-placeholder='«v»'></div>")
in_markup("aria-braillelabel", "name", "<button aria-braillelabel='«v»'>x</button>")
in_markup("aria-valuetext", "name", "<input type=range aria-valuetext='share of «v»'>")
in_markup("th-abbr", "name", "<table><tr><th abbr='«v»'>A</th></tr><tr><td>1</td></tr></table>")
in_markup("table-summary", "name", "<table summary='Accounts of «v»'><tr><td>1</td></tr></table>")
in_markup("meter-title", "name", "<meter title='«v»' value=.4></meter>")
in_markup("optgroup-label", "name", "<select><optgroup label='«v»'><option>Current account</optgroup></select>")
in_markup("option-label", "name", "<select><option label='«v»' value=1></option></select>")
in_markup("datalist", "mail", "<input list=dl><datalist id=dl><option value='«v»'></datalist>")
in_markup("submit-value", "name", "<input type=submit value='Pay «v»'>")
in_markup("hidden-json", "name", "<input type=hidden value='«attribute»'>")
in_markup("pattern-title", "name", "<input pattern='x+' title='as on the passport of «v»'>")
in_markup("placeholder", "phone", "<input placeholder='e.g. «v»'>")
in_markup("image-input-alt", "name", "<input type=image alt='Signature of «v»'>")
in_markup("longdesc", "name", "<img alt='' longdesc='/people/«u»'>")
in_markup("area-alt", "street", "<map name=m1><area alt='«v»' shape=rect coords='0,0,9,9' href='#a'></map>")
in_markup("usemap", "name", "<map name='«v»'></map><img alt='' usemap='#«v»'>")
in_markup("form-target", "name", "<form target='«snake»' action='/u/«uu»'></form>")
in_markup("frame-name", "name", "<iframe name='«v»'></iframe>")
in_markup("blockquote-cite", "name", "<blockquote cite='https://intranet/wiki/«snake»'>Fine</blockquote>")
in_markup("itemid", "name", "<div itemscope itemtype='https://schema.org/Person' itemid='urn:person:«slug»'>x</div>")
in_markup("itemprop-meta", "phone", "<div itemscope><meta itemprop=telephone content='«v»'></div>")
in_markup("data-value", "ssn", "<data value='«v»'>on file</data>")
in_markup("rdfa-content", "name", "<span property='foaf:name' content='«v»'></span>")
in_markup("data-json", "name", "<div data-state='«attribute»'>x</div>")
in_markup("alpine-data", "name", "<div x-data=\"{ open: false, owner: '«v»' }\">x</div>")
in_markup("vue-handler", "phone", "<button @click=\"dial('«v»')\" :title=\"'«v»'\">Dial</button>")
in_markup("htmx-values", "ssn", "<button hx-vals='{\"ssn\": \"«v»\"}' hx-get='/x'>x</button>")
in_markup("angular-init", "mail", "<div ng-init=\"me={mail:'«v»'}\">x</div>")
in_markup("wire-snapshot", "name", "<div wire:snapshot='«attribute»' wire:id=k2>x</div>")
in_markup("attribute-name", "name", "<div data-«slug»=1>x</div>")
in_markup("tag-name", "name", "<card-«slug»>x</card-«slug»>")
in_markup("class-camel", "name", "<div class='row «camel»Row'>x</div>")
in_markup("class-tailwind", "name", "<div class=\"before:content-['«snake»'] p-2\">x</div>")
in_markup("id-card", "card", "<div id='pay-«digits»'>x</div>")
in_markup("part", "name", "<div><template shadowrootmode=open><i part='«slug»'>x</i></template></div>")
in_markup("slot-name", "name", "<div><template shadowrootmode=open><slot name='«slug»'></slot></template><b slot='«slug»'>x</b></div>")  # fmt: skip
in_markup("lang-private", "name", "<p lang='en-x-«slug»'>Row</p>")
in_markup("dirname", "name", "<form><input name=q dirname='«slug»'></form>")
in_markup("popover-target", "name", "<button popovertarget='pop-«slug»'>x</button><div popover id='pop-«slug»'>hidden</div>")  # fmt: skip
in_markup("details-name", "name", "<details name='«v»'><summary>More</summary>less</details>")
in_markup("track-label", "name", "<video><track label='«v»' srclang=en src='/none.vtt'></video>")
in_markup("object-param", "token", "<object><param name=key value='«v»'></object>")
in_markup("embed-name", "name", "<embed name='«v»' width=9 height=9>")
in_markup("srcset", "name", "<img alt='' srcset='/a/«snake»_1.png 1x, /a/«snake»_2.png 2x'>")
in_markup("link-title", "name", "<link rel=alternate title='Feed of «v»' href='/feed'>")
in_markup("rel-token", "name", "<a rel='me «slug»' href='#r'>x</a>")

# Head.
in_head("meta-author", "name", "<meta name=author content='«v»'>")
in_head("meta-description", "street", "<meta name=description content='The house at «v» is for sale'>")
in_head("og-title", "name", "<meta property='og:title' content='«v» shared a file'>")
in_head("twitter-data", "phone", "<meta name='twitter:data1' content='«v»'>")
in_head("csrf-meta", "token", "<meta name=csrf-token content='«v»'>")
in_head(
    "itunes-argument", "mail", "<meta name=apple-itunes-app content='app-id=1, app-argument=shop://login?mail=«u»'>"
)
in_head("manifest-inline", "name", '<link rel=manifest href=\'data:application/manifest+json,{"name":"Desk of «u»"}\'>')
in_head("canonical", "name", "<link rel=canonical href='https://shop.example/people/«slug»/'>")
in_head("json-ld", "street", '<script type=\'application/ld+json\'>{"@type":"Person","address":"«v»"}</script>')
in_head("import-map", "name", '<script type=importmap>{"imports":{"me":"/m/«slug».js"}}</script>')

# Links of other schemes.
in_markup("mailto-subject", "name", "<a href='mailto:desk@firm.example?subject=Claim%20of%20«u»'>Write</a>")
in_markup("mailto", "mail", "<a href='mailto:«v»'>Write</a>")
in_markup("tel", "phone", "<a href='tel:«digits»'>Call</a>")
in_markup("wa-me", "phone", "<a href='https://wa.me/«digits»'>Chat</a>")
in_markup("sms-body", "street", "<a href='sms:?body=Meet%20at%20«u»'>Text</a>")
in_markup("maps-path", "street", "<a href='https://maps.example/place/«plus»/@52.1,4.3,17z'>Map</a>")
in_markup("otpauth", "mail", "<a href='otpauth://totp/Desk:«u»?issuer=Desk'>Add</a>")
in_markup("upi", "name", "<a href='upi://pay?pa=x%40bank&pn=«u»'>Pay</a>")
in_markup("userinfo", "token", "<a href='https://bot:«v»@git.example/repo.git'>Clone</a>")
in_markup("vcard-link", "name", "<a href='data:text/vcard,BEGIN:VCARD%0AFN:«u»%0AEND:VCARD'>Card</a>")
in_markup("jwt-link", "name", "<a href='/s?t=eyJhbGciOiJub25lIn0.«claims».c2ln'>Open</a>")
in_markup("base64-segment", "mail", "<a href='/unsubscribe/«w»/now'>Leave</a>")
in_markup("matrix-parameter", "name", "<a href='/desk;owner=«u»;tab=2/list'>List</a>")
in_markup("text-fragment", "name", "<a href='/doc#:~:text=«u»'>See</a>")
in_markup("punycode-host", "name", "<a href='http://«puny».example/'>Blog</a>", "«umlaut»", "«puny»")
in_markup("download-attribute", "name", "<a download='Invoice «v».pdf' href='data:,x'>Save</a>")
in_markup("ping", "mail", "<a ping='/track?who=«u»' href='#p'>x</a>")

# Text, dressed.
in_markup("ruby", "name", "<ruby>«first»<rt>x</rt>«last»<rt>y</rt></ruby>")
in_markup("bidi-override", "name", "<bdo dir=rtl>«reversed»</bdo>", "«last»", "«reversed»")
in_markup("right-to-left", "name", "<p dir=rtl>العميل: «v» وافق</p>")
in_markup("zero-width-joined", "name", "<p>Contact «joined» soon</p>")
in_markup("soft-hyphens", "name", "<p>Contact «shy» soon</p>")
in_markup("grapheme-joiners", "mail", "<p>Write to «grapheme» soon</p>")
in_markup("letters-spaced", "name", "<h3>«spaced»</h3>")
in_markup("letters-in-spans", "name", "<p>«spans»</p>")
in_markup("letters-in-lines", "name", "<p>«lines»</p>")
in_markup("letters-in-cells", "name", "<table><tr>«cells»</tr></table>")
in_markup("letters-placed", "name", "<div style='position:relative;height:20px'>«boxes»</div>")
in_markup("letters-reordered", "name", "<div style='display:flex'>«backwards»</div>", "«last»", "«reversed»")
in_markup("wide-card", "card", "<p>Card «wide»</p>")
in_markup("arabic-phone", "phone", "<p>هاتف «arabic»</p>")
in_markup("devanagari-ssn", "ssn", "<p>SSN «devanagari»</p>")
in_markup("double-struck", "name", "<p>Prepared by «bold»</p>")
in_markup("circled", "name", "<p>Prepared by «circled»</p>")
in_markup("all-upper", "name", "<p>PASSENGER «upper» SEAT 4A</p>")
in_markup("all-lower", "name", "<p>hey can you ask «lower» about it</p>")
in_markup("upper-by-css", "name", "<p style='text-transform:uppercase'>passenger «lower»</p>")
in_markup("family-first", "name", "<p>«last», «first» (Mrs) signed</p>")
in_markup("drop-cap", "name", "<p><b>«first»</b>, or <i>«head»</i><wbr><i>«tail»</i> as we say</p>")
in_markup("decoys", "name", "<p>«first» «head»<span hidden>zzqx</span>«tail» approved</p>", "«head»zzqx«tail»")
in_markup("halves-swapped", "name", "<p style='display:flex'><span style='order:2'>«tail»</span><span style='order:1'>«first» «head»</span></p>", "«tail»«first»«head»")  # fmt: skip
in_markup("two-cells", "name", "<table><tr><td>1</td><td>«last»</td><td>«first»</td><td>ok</td></tr></table>")
in_markup("definition", "street", "<dl><dt>Lives at</dt><dd>«v»</dd></dl>")
in_markup("card-in-groups", "card", "<p><span>«g1»</span><span>«g2»</span><span>«g3»</span><span>«g4»</span></p>")
in_markup("contenteditable", "name", "<div contenteditable>Dear «v»,</div>")
in_markup("textarea", "street", "<textarea>Ship to «v»</textarea>")
in_markup("template", "name", "<template><li>«v»</li></template>")
in_markup("noscript", "name", "<noscript>Sorry, «v»</noscript>")
in_markup("comment", "name", "<!-- cached for «v» at 12:04 -->")
in_markup("processing", "name", "<?row owner=«v»?>")
in_markup("srcdoc", "name", "<iframe srcdoc='<p>Dear «v»</p>'></iframe>")
in_markup("frame-data", "name", "<iframe src='data:text/html,<p>Dear «u»</p>'></iframe>")
in_markup("frame-blob", "name", "", script="const f=document.createElement('iframe');f.src=URL.createObjectURL(new Blob(['<p>Dear «v»</p>'],{type:'text/html'}));document.body.append(f);await new Promise(r=>f.onload=r)")  # fmt: skip
in_markup("closed-root", "name", "<x-a></x-a>", script="document.querySelector('x-a').attachShadow({mode:'closed'}).innerHTML='<p title=\"«v»\">Owner</p>';await new Promise(r=>setTimeout(r,300))")  # fmt: skip
in_markup("validity-message", "name", "<form><input id=vm></form>", script="const i=document.getElementById('vm');i.setCustomValidity('«v» has this one');i.reportValidity();await new Promise(r=>setTimeout(r,150))")  # fmt: skip
in_markup("iban-groups", "iban", "<p>Konto: <code>«grouped»</code></p>")
in_markup("token-in-code", "token", "<pre>export KEY=«v»</pre>")
in_markup("ssn-in-title", "ssn", "<abbr title='SSN «v»'>id</abbr>")
