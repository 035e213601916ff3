"""The recording file (reel): its events, writer and reader, and the page model (docs/format.md).

    with ReelWriter("run.reel", {"started": 0}) as writer:
        writer.write({"k": "mark", "t": 12.5, "name": "before payment"})

    with open_reel("run.reel") as reel:
        model = PageModel()
        for event in reel.timeline():
            model.apply(event)

This package imports no other package of pagereel.
"""

from typing import TYPE_CHECKING

from . import job_executors, remote_stores
from .action_title import build_action_title, build_address_title, build_element_title, parse_locator_parts
from .addresses import PLACEHOLDER, find_base_address, is_requested_by_browser, parse_srcset, to_absolute_address
from .checks import CheckpointCounts, UnequalCheckpoint, VerifyReport, compare_checkpoints, verify
from .document import DocumentModel
from .document_state import ScriptedStyleSheet
from .encrypted_file import ENCRYPTED_MAGIC, is_encrypted
from .event_fields import find_redaction_channels
from .events import FORMAT, Event, Json
from .form_controls import MASK, get_field_value, get_selected_indexes, is_checked, is_indeterminate, iter_options
from .ids import EventIds
from .ids import parse_id_prefix as id_prefix
from .keys import (
    KEY_FILE_VARIABLE,
    PASSPHRASE_VARIABLE,
    Key,
    Keys,
    find_default_key,
    load_keys,
    new_key_pair,
    using_key,
)
from .kinds import (
    KINDS,
    MESSAGES,
    WITH_AGENT,
    EventKind,
    find_event_end_time,
    find_event_kinds,
    find_event_problem,
    require_valid_event,
)
from .layout_samples import EXTRA, PARTS, STYLE, mask_layout_sample
from .limits import BODY_BYTES, find_exceeded_limit
from .locators import to_python_locator, to_snake_case
from .model import PageModel, PageState
from .model_messages import (
    SYSTEM,
    TOOL,
    ModelMessageStore,
    Recipe,
    build_recipe,
    build_text_of_recipe,
    expand_recipe,
    shorten_recipe,
)
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
    get_text_content,
    iter_light_nodes,
    iter_nodes,
)
from .opening import open_reel, read_unfinished_header
from .ops import BUILT_OPS, OPS, OpKind
from .outcome import Outcome, RunOutcome, RunOutcomeRule, find_outcome
from .reader import Reel, ReelDamage
from .remote_writer import open_reel_writer
from .renumbering import Renumbering
from .repeated_texts import count_bytes_added_by_expanding as added_texts
from .repeated_texts import fill_in_texts as filled_texts
from .repeated_texts import iter_long_texts
from .repeated_texts import replace_long_texts as put_texts
from .replay_pieces import (
    COMPACT_CHARSET,
    HEADER_FIELDS_IN_INDEX,
    PIECE_TYPE,
    PLAYER_PIECE,
    SUITE_GROUP,
    ReplayPiece,
    build_base64_element,
    build_dense_element,
    build_raw_comment,
    convert_to_base64,
    find_pieces,
)
from .screens import BESIDE_PICTURE, GREY, MOST_PIXELS, create_screen_encoder, decode_picture, to_opaque_rgb
from .screens import ScreenPictureComposer as ScreenComposer
from .serialize import TREE_DEPTH, build_snapshot_ops, serialize_to_html, serialize_tree
from .shared_resources import SharedResourceFolder, build_resource_event, decode_body, encode_body
from .state_events import build_state_events
from .stream_codec import decode_stream, encode_stream
from .timeline import InvalidEvent
from .writer import ReelWriter, encode_event, pick_header_fields
from .zstd_frames import ZSTD_MAGIC

if TYPE_CHECKING:
    from .screens.screen_encoder import ScreenEncoder as ScreenEncoder

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
    "ENCRYPTED_MAGIC",
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
    "WITH_AGENT",
    "ZSTD_MAGIC",
    "CheckpointCounts",
    "DocumentModel",
    "Event",
    "EventIds",
    "EventKind",
    "InvalidEvent",
    "Json",
    "Key",
    "Keys",
    "ModelMessageStore",
    "Node",
    "OpKind",
    "Outcome",
    "PageModel",
    "PageState",
    "Recipe",
    "Reel",
    "ReelDamage",
    "ReelWriter",
    "Renumbering",
    "ReplayPiece",
    "RunOutcome",
    "RunOutcomeRule",
    "ScreenComposer",
    "ScriptedStyleSheet",
    "SharedResourceFolder",
    "UnequalCheckpoint",
    "VerifyReport",
    "added_texts",
    "build_action_title",
    "build_address_title",
    "build_base64_element",
    "build_dense_element",
    "build_element_title",
    "build_raw_comment",
    "build_recipe",
    "build_resource_event",
    "build_snapshot_ops",
    "build_state_events",
    "build_text_of_recipe",
    "compare_checkpoints",
    "convert_to_base64",
    "create_screen_encoder",
    "decode_body",
    "decode_picture",
    "decode_stream",
    "encode_body",
    "encode_event",
    "encode_stream",
    "expand_recipe",
    "filled_texts",
    "find_base_address",
    "find_default_key",
    "find_event_end_time",
    "find_event_kinds",
    "find_event_problem",
    "find_exceeded_limit",
    "find_outcome",
    "find_pieces",
    "find_redaction_channels",
    "get_field_value",
    "get_selected_indexes",
    "get_text_content",
    "id_prefix",
    "is_checked",
    "is_encrypted",
    "is_indeterminate",
    "is_requested_by_browser",
    "iter_light_nodes",
    "iter_long_texts",
    "iter_nodes",
    "iter_options",
    "job_executors",
    "load_keys",
    "mask_layout_sample",
    "new_key_pair",
    "open_reel",
    "open_reel_writer",
    "parse_locator_parts",
    "parse_srcset",
    "pick_header_fields",
    "put_texts",
    "read_unfinished_header",
    "remote_stores",
    "require_valid_event",
    "serialize_to_html",
    "serialize_tree",
    "shorten_recipe",
    "to_absolute_address",
    "to_opaque_rgb",
    "to_python_locator",
    "to_snake_case",
    "using_key",
    "verify",
]
