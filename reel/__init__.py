"""The recording file (reel): its events, writer and reader, and the page model (docs/format.md).

    with ReelWriter("run.reel", {"started": 0}) as writer:
        writer.write({"k": "mark", "t": 12.5, "name": "before payment"})

    with open_reel("run.reel") as reel:
        model = PageModel()
        for event in reel.timeline():
            model.apply(event)

This package imports no other package of pagereel.
"""

from . import engines, stores
from .action_title import action_title, address_title, element_title, locator_parts
from .addresses import PLACEHOLDER, absolute, asked_by_itself, base_of, candidates
from .checks import Checkpoints, FailedCheck, VerifyReport, checkpoints, verify
from .document import DocumentModel
from .document_state import Sheet
from .events import FORMAT, Event, Json
from .fields import channels_of
from .flatten import flatten
from .forms import MASK, is_checked, is_indeterminate, options_of, selected_of, value_of
from .ids import EventIds
from .ids import prefix as id_prefix
from .keys import (
    KEY_FILE_VARIABLE,
    PASSPHRASE_VARIABLE,
    Key,
    Keys,
    default_key,
    keys_of,
    new_key_pair,
    using_key,
)
from .kinds import KINDS, MESSAGES, Kind, end_of, kinds, problem, validate
from .limits import BODY_BYTES, too_much
from .locators import python_locator, snake
from .looks import EXTRA, PARTS, STYLE, masked_look
from .messages import SYSTEM, TOOL, MessageStore, Recipe, folded, rebuilt, recipe_of, unfolded
from .model import PageModel, PageState
from .nodes import (
    CDATA,
    COMMENT,
    CONTENT,
    DOCTYPE,
    DOCUMENT,
    ELEMENT,
    LEAVES,
    PI,
    SHADOW,
    TEXT,
    Node,
    light,
    text_content,
    walk,
)
from .numbering import Numbering
from .opening import header_while_recording, open_reel
from .ops import BUILT_OPS, OPS, OpKind
from .outcome import Outcome, OutcomeRule, RunOutcome, outcome_of
from .pieces import (
    COMPACT_CHARSET,
    HEADER_FIELDS_IN_INDEX,
    PIECE_TYPE,
    PLAYER_PIECE,
    SUITE_GROUP,
    ReelPiece,
    base64_element,
    comment_with_bytes,
    dense_element,
    in_base64,
    pieces_of,
)
from .reader import Damage, Reel
from .remote import writer_for
from .screens import BESIDE_PICTURE, GREY, MOST_PIXELS, decoded, keeper, opaque
from .screens import Composer as ScreenComposer
from .sealed import is_encrypted
from .serialize import TREE_DEPTH, snapshot_ops, to_html, tree
from .shared import SharedResources, body_of, content_of, resource_event
from .stream_codec import decode_stream, encode_stream
from .texts import added as added_texts
from .texts import filled as filled_texts
from .texts import long_texts
from .texts import put as put_texts
from .timeline import Invalid
from .writer import ReelWriter, encode_event, header_fields

__all__ = [
    "BESIDE_PICTURE",
    "BODY_BYTES",
    "BUILT_OPS",
    "CDATA",
    "COMMENT",
    "COMPACT_CHARSET",
    "CONTENT",
    "DOCTYPE",
    "DOCUMENT",
    "ELEMENT",
    "EXTRA",
    "FORMAT",
    "GREY",
    "HEADER_FIELDS_IN_INDEX",
    "KEY_FILE_VARIABLE",
    "KINDS",
    "LEAVES",
    "MASK",
    "MESSAGES",
    "MOST_PIXELS",
    "OPS",
    "PARTS",
    "PASSPHRASE_VARIABLE",
    "PI",
    "PIECE_TYPE",
    "PLACEHOLDER",
    "PLAYER_PIECE",
    "SHADOW",
    "STYLE",
    "SUITE_GROUP",
    "SYSTEM",
    "TEXT",
    "TOOL",
    "TREE_DEPTH",
    "Checkpoints",
    "Damage",
    "DocumentModel",
    "Event",
    "EventIds",
    "FailedCheck",
    "Invalid",
    "Json",
    "Key",
    "Keys",
    "Kind",
    "MessageStore",
    "Node",
    "Numbering",
    "OpKind",
    "Outcome",
    "OutcomeRule",
    "PageModel",
    "PageState",
    "Recipe",
    "Reel",
    "ReelPiece",
    "ReelWriter",
    "RunOutcome",
    "ScreenComposer",
    "SharedResources",
    "Sheet",
    "VerifyReport",
    "absolute",
    "action_title",
    "added_texts",
    "address_title",
    "asked_by_itself",
    "base64_element",
    "base_of",
    "body_of",
    "candidates",
    "channels_of",
    "checkpoints",
    "comment_with_bytes",
    "content_of",
    "decode_stream",
    "decoded",
    "default_key",
    "dense_element",
    "element_title",
    "encode_event",
    "encode_stream",
    "end_of",
    "engines",
    "filled_texts",
    "flatten",
    "folded",
    "header_fields",
    "header_while_recording",
    "id_prefix",
    "in_base64",
    "is_checked",
    "is_encrypted",
    "is_indeterminate",
    "keeper",
    "keys_of",
    "kinds",
    "light",
    "locator_parts",
    "long_texts",
    "masked_look",
    "new_key_pair",
    "opaque",
    "open_reel",
    "options_of",
    "outcome_of",
    "pieces_of",
    "problem",
    "put_texts",
    "python_locator",
    "rebuilt",
    "recipe_of",
    "resource_event",
    "selected_of",
    "snake",
    "snapshot_ops",
    "stores",
    "text_content",
    "to_html",
    "too_much",
    "tree",
    "unfolded",
    "using_key",
    "validate",
    "value_of",
    "verify",
    "walk",
    "writer_for",
]
