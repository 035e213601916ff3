"""Places in what went over the network: bodies of many formats, headers, addresses, frames of sockets and event streams.

Each place's script fetches the place's own address, `at`; what it sends stands in the script, what comes back in the answer.
"""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib

from tests.redaction.strange_places import PLACES, Answer, Place
from tests.redaction.strange_values import Value

FETCH = "await (await fetch(at)).text()"
JSON = "application/json"


def answered(name: str, kind: str, mime: str, body: str, *traces: str, script: str = FETCH, **headers: str) -> None:
    """The server's answer has it, in its body or in a header (`X_Owner` is `X-Owner`)."""
    said = {key.replace("_", "-"): value for key, value in headers.items()}
    PLACES.append(Place(name, kind, script=script, answer=Answer(mime, body, said), traces=traces))


def sent(name: str, kind: str, script: str, *traces: str) -> None:
    """The page sends it."""
    PLACES.append(Place(name, kind, script=script, answer=Answer(JSON, '{"ok":true}'), traces=traces))


def posted(name: str, kind: str, mime: str, body: str, *traces: str) -> None:
    sent(name, kind, f"await fetch(at,{{method:'POST',headers:{{'content-type':'{mime}'}},body:`{body}`}})", *traces)


# What a page asks for.
posted(
    "graphql-variables",
    "mail",
    JSON,
    '{"operationName":"F","variables":{"q":"«v»"},"query":"query F($q:String){f(q:$q){id}}"}',
)
posted("graphql-inline", "name", JSON, '{"query":"mutation { rename(id: 4, to: \\\\"«v»\\\\") { id } }"}')
sent("graphql-get", "name", "await fetch(at+'?query=q&variables=%7B%22who%22%3A%22«uu»%22%7D')")
posted("json-rpc", "phone", JSON, '{"jsonrpc":"2.0","method":"dial","params":["«v»"],"id":1}')
posted("json-api", "name", "application/vnd.api+json", '{"data":{"type":"cases","attributes":{"t":"Call from «v»"}}}')
posted("json-in-json", "name", JSON, '{"event":"save","payload":"«json_js»"}')
posted("json-key", "name", JSON, '{"votes":{"«v»":3}}')
posted("json-key-mail", "mail", JSON, '{"sessions":{"«v»":{"n":1}}}')
posted("json-letters", "name", JSON, '{"chars":«letters»}')
posted("json-codes", "name", JSON, '{"codes":«codes»}', "«codes»")
posted("json-unicode", "name", JSON, '{"by":"«unicode_js»"}')
posted("json-base64", "mail", JSON, '{"blob":"«b»"}')
posted("json-hex", "ssn", JSON, '{"blob":"«x»"}')
posted("json-number", "card", JSON, '{"n":«digits»}')
posted("form-in-form", "name", "application/x-www-form-urlencoded", "ok=1&state=a%3D1%26who%3D«uu»")
posted("form-key", "mail", "application/x-www-form-urlencoded", "invite%5B«u»%5D=on")
posted("soap", "ssn", "text/xml", "<s:Envelope xmlns:s='s'><s:Body><Find><Ssn>«v»</Ssn></Find></s:Body></s:Envelope>")
posted("xml-attribute", "name", "application/xml", "<case id='4' opened-by='«v»'/>")
posted("xml-cdata", "street", "application/xml", "<note><![CDATA[Deliver to «v» please]]></note>")
posted("protobuf-text", "name", "text/plain", 'profile { display: "«v»" level: 3 }')
posted("prometheus", "name", "text/plain", 'logins_total{user="«v»"} 3')
posted("ndjson", "phone", "application/x-ndjson", '{"n":1}\\n{"n":2,"ring":"«v»"}\\n')
posted("yaml", "name", "application/yaml", "case:\\n  opened_by: «v»\\n  open: true\\n")
posted("ini", "token", "text/plain", "[remote]\\nkey = «v»\\n")
posted("sql", "name", "text/plain", "UPDATE cases SET note='told by «v»' WHERE id=4;")
posted("hl7", "name", "x-application/hl7-v2+er7", "MSH|^~\\\\&|A|B\\rPID|1||8842||«last»^«first»||19700101|F\\r")
posted("ldif", "name", "text/plain", "dn:: «b»\\ncn:: «b»\\n")
posted("turtle", "mail", "text/turtle", "<#me> <http://xmlns.com/foaf/0.1/mbox> <mailto:«v»> .")
sent(
    "multipart", "name", "const f=new FormData();f.append('note','Seen by «v»');await fetch(at,{method:'POST',body:f})"
)
sent("multipart-file-name", "name", "const f=new FormData();f.append('f',new Blob(['x'],{type:'text/plain'}),'CV «v».txt');await fetch(at,{method:'POST',body:f})")  # fmt: skip
sent("multipart-file", "iban", "const f=new FormData();f.append('f',new Blob(['IBAN «v»'],{type:'text/plain'}),'a.txt');await fetch(at,{method:'POST',body:f})")  # fmt: skip
sent("binary-post", "name", "await fetch(at,{method:'POST',body:new Blob([new Uint8Array([0,1,10,16]),'«v»'],{type:'application/octet-stream'})})")  # fmt: skip
sent("beacon", "name", "navigator.sendBeacon(at,'seen '+'«v»');await new Promise(r=>setTimeout(r,80))")
sent("put-path", "name", "await fetch(at+'/cases/«uu»/close',{method:'PUT'})")
sent("query-name", "mail", "await fetch(at+'?filter%5B«u»%5D=1')")
sent("query-base64", "name", "await fetch(at+'?s=«w»')")
sent("query-jwt", "name", "await fetch(at+'?s=eyJhbGciOiJub25lIn0.«claims».c2lnbmF0dXJl')")
sent("own-header", "name", "await fetch(at,{headers:{'X-Requested-For':'«v»'}})")
sent("bearer", "token", "await fetch(at,{headers:{Authorization:'Bearer «v»'}})")
sent("basic", "mail", "await fetch(at,{headers:{Authorization:'Basic «b»'}})")
sent("baggage", "name", "await fetch(at,{headers:{baggage:'userId=«u»,n=1'}})")
sent("if-none-match", "name", "await fetch(at,{headers:{'If-None-Match':'W/\"«slug»-4\"'}})")
sent("method-name", "name", "await fetch(at,{method:'X-«slug»'}).catch(()=>0)")
sent("lost-host", "name", "await fetch('http://«slug».invalid/').catch(()=>0)")

# What a server says.
answered("csv", "name", "text/csv", "case,opened,by\n4,2026-01-02,«v»\n5,2026-01-03,\n")
answered("csv-no-head", "ssn", "text/csv", "4;open;«v»;3.50\n")
answered("tsv-names", "name", "text/tab-separated-values", "n\tgiven\tfamily\n1\t«first»\t«last»\n")
answered("json-rows", "name", JSON, '{"columns":["id","full_name"],"rows":[[4,"«v»"]]}')
answered("json-sentence", "street", JSON, '{"message":"We shipped it to «v» today."}')
answered("json-prefix", "mail", JSON, ')]}\'\n{"m":"«v»"}')
answered("jsonp", "phone", "text/javascript", 'cb_4({"ring":"«v»"});')
answered("module", "name", "text/javascript", "export const owner = '«v»';")
answered(
    "source-map",
    "mail",
    JSON,
    '{"version":3,"sources":["a.ts"],"sourcesContent":["// ask «v»\\nlet a;"],"mappings":""}',
)
answered("jwt", "name", JSON, '{"id_token":"eyJhbGciOiJub25lIn0.«claims».c2lnbmF0dXJl"}')
answered("jwk-text", "token", "text/plain", "set-key «v» ok")
answered("html-part", "name", "text/html", "<tr><td>4</td><td>«v»</td></tr>")
answered("html-entities", "name", "text/html", "<p>Owner «entities»</p>")
answered("component-stream", "name", "text/x-component", '1:["$","p",null,{"children":"Hello «v»"}]\n')
answered("vtt", "name", "text/vtt", "WEBVTT\n\n00:00.000 --> 00:02.000\n<v «v»>I live here\n")
answered("vcard", "street", "text/vcard", "BEGIN:VCARD\nFN:x\nADR;TYPE=home:;;«v»;;;;\nEND:VCARD\n")
answered("calendar", "name", "text/calendar", "BEGIN:VEVENT\nORGANIZER;CN=«v»:mailto:desk@firm.example\nEND:VEVENT\n")
answered("mail-printable", "name", "message/rfc822", "Subject: =?utf-8?Q?«printable»?=\n\n«printable»\n")
answered("access-log", "mail", "text/plain", '10.0.0.4 - «v» [02/Jan/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 4\n')
answered("manifest", "name", "application/manifest+json", '{"name":"Desk of «v»","start_url":"/"}')
answered("svg-file", "name", "image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><text>«v»</text></svg>")
answered("unknown-type", "name", "application/x-strange", "0|1|«v»|2")
answered("content-disposition", "name", "text/plain", "x", Content_Disposition="attachment; filename*=UTF-8''«u».pdf")
answered("link-header", "name", "text/plain", "x", Link="</a>; rel=next; title*=UTF-8''«u»")
answered("server-timing", "name", "text/plain", "x", Server_Timing='user;desc="«v»"')
answered("etag", "mail", "text/plain", "x", ETag='"user-«v»-4"')
answered("x-user", "phone", "text/plain", "x", X_Customer="«v»")
answered("set-cookie", "mail", "text/plain", "x", Set_Cookie="who=«u»; Path=/none")
answered("realm", "name", "text/plain", "x", WWW_Authenticate='Basic realm="Files of «v»"')
answered(
    "policy-report",
    "name",
    "text/plain",
    "x",
    Content_Security_Policy_Report_Only="default-src 'self'; report-uri /csp?u=«u»",
)
answered("content-location", "name", "text/plain", "x", Content_Location="/people/«slug»")
answered("vary-mime", "name", "text/plain; owner=«slug»", "x")
answered("event-stream", "name", "text/event-stream", "id: 4\nevent: note\ndata: «v» joined\n\n", script="const s=new EventSource(at);await new Promise(r=>s.addEventListener('note',r));s.close()")  # fmt: skip
answered("event-name", "name", "text/event-stream", "event: joined-«slug»\ndata: 1\n\nevent: note\ndata: 2\n\n", script="const s=new EventSource(at);s.addEventListener('joined-«slug»',()=>0);await new Promise(r=>s.addEventListener('note',r));s.close()")  # fmt: skip
answered("event-id", "mail", "text/event-stream", "id: «v»\nevent: note\ndata: 3\n\n", script="const s=new EventSource(at);await new Promise(r=>s.addEventListener('note',r));s.close()")  # fmt: skip


def socket(name: str, kind: str, message: str, *traces: str) -> None:
    """A frame that the page sends over a WebSocket, and that comes back."""
    script = f"const s=new WebSocket(at.replace('http','ws'));await new Promise(r=>s.onopen=r);s.send({message});await new Promise(r=>s.onmessage=r);s.close()"
    PLACES.append(Place(name, kind, script=script, answer=Answer("socket", ""), traces=traces))


socket("socket-json", "name", '\'{"t":"say","as":"«v»"}\'')
socket("socket-io", "phone", '\'42["ring",{"to":"«v»"}]\'')
socket("socket-stomp", "name", "'SEND\\nuser:«v»\\n\\nhello\\0'")
socket("socket-binary", "name", "new Uint8Array([48,4,...new TextEncoder().encode('«v»')])")
socket("socket-base64", "mail", "'b:«b»'")


def packed(name: str, kind: str, mime: str, make: object) -> None:
    """Bytes: a picture and a font are used by the page, others are fetched."""
    script = "await (await fetch(at)).arrayBuffer()"
    if mime.startswith("image"):
        script = "const i=new Image();i.src=at;document.body.append(i);await new Promise(r=>i.onload=i.onerror=r)"
    elif mime.startswith("font"):
        script = "const f=new FontFace('F4',`url(${at})`);document.fonts.add(f);await f.load()"
    PLACES.append(Place(name, kind, script=script, answer=Answer(mime, make)))  # type: ignore[arg-type]


def _zip(value: Value) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
        made.writestr(f"report of {value.text}.txt", f"for {value.text} alone " * 4)
    return file.getvalue()


def _png(value: Value) -> bytes:
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    text = chunk(b"tEXt", b"Author\0" + value.text.encode()) + chunk(
        b"zTXt", b"Note\0\0" + zlib.compress(value.text.encode())
    )
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + text
        + chunk(b"IDAT", zlib.compress(b"\0\0"))
        + chunk(b"IEND", b"")
    )


packed("utf-16", "name", "text/plain; charset=utf-16le", lambda v: f"told to {v.text}".encode("utf-16-le"))
packed("utf-16-unsaid", "name", "text/plain", lambda v: f"told to {v.text}".encode("utf-16-be"))
packed("utf-32", "name", "text/plain; charset=utf-32", lambda v: f"told to {v.text}".encode("utf-32"))
packed("ebcdic", "name", "text/plain; charset=ibm037", lambda v: f"told to {v.text}".encode("cp037"))
packed("gzip-file", "mail", "application/gzip", lambda v: gzip.compress(v.text.encode() * 3))
packed("zip-file", "name", "application/zip", _zip)
packed("png-text", "name", "image/png", _png)
packed("gif-comment", "name", "image/gif", lambda v: b"GIF89a\1\0\1\0\0\0\0!\xfe" + bytes([len(v.text)]) + v.text.encode() + b"\0,\0\0\0\0\1\0\1\0\0\2\2D\1\0;")  # fmt: skip
packed(
    "msgpack", "name", "application/msgpack", lambda v: b"\x81\xa2by" + bytes([0xA0 | len(v.text)]) + v.text.encode()
)
packed("cbor", "mail", "application/cbor", lambda v: b"\xa1\x61m\x78" + bytes([len(v.text)]) + v.text.encode())
packed("grpc-web", "name", "application/grpc-web+proto", lambda v: b"\0\0\0\0" + bytes([len(v.text) + 2, 10, len(v.text)]) + v.text.encode())  # fmt: skip
packed(
    "pdf",
    "name",
    "application/pdf",
    lambda v: f"%PDF-1.4\n1 0 obj<</Author({v.text})>>endobj\nBT ({v.text}) Tj ET\n%%EOF".encode(),
)
packed(
    "wasm",
    "name",
    "application/wasm",
    lambda v: b"\0asm\1\0\0\0\0" + bytes([len(v.text) + 2, 1]) + b"n" + v.text.encode(),
)
packed("image-as-text", "name", "image/png", lambda v: f"not a picture, but a line about {v.text}".encode())
packed("font-as-text", "mail", "font/woff", lambda v: f"not a font, but a line about {v.text}".encode())
