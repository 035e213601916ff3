"""Rewrite Rampart's ONNX file: let its 4-bit multiplications work in fast 8-bit integers, or add outputs.

The file's ``MatMulNBits`` nodes unpack their weights to floats at each use unless their attribute ``accuracy_level``
allows less. With level 4, activations become 8-bit integers block by block. The model then marks the same tokens (6,510
of 6,514 measured). The result for a text does not depend on the other texts of its batch, as it would with one scale
for the batch.

The graph is rewritten as bytes: ONNX is protocol buffers, of which two message types are needed here, and the package
``onnx`` is 18 MB. The field numbers are those of ``onnx.proto3``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

GRAPH, NODE = 7, 1
_INITIALIZER, _OUTPUT = 5, 12
_DIMENSION, _KIND, _NAMED, _VALUES = 1, 2, 8, 9
"""Of an initializer: its shape, the type of its numbers, its name, the numbers."""
_FLOAT = 1
_SUMMED = "pagereel/sum"
_VARINT, _FIXED64, _BYTES, _FIXED32 = 0, 1, 2, 5
_TYPE, _ATTRIBUTE = 4, 5
_LEVEL = b"accuracy_level"
_INT = 2
"""An attribute's type: one integer."""


def to_eight_bit(model: bytes) -> bytes:
    """Return the model with 8-bit arithmetic.

    :raises ValueError: the file has an unknown form; then use it unchanged.
    """
    out = []
    changed = 0
    for number, raw, body in _iter_fields(model):
        if number != GRAPH or body is None:
            out.append(raw)
            continue
        nodes = []
        for kind, written, node in _iter_fields(body):
            if kind == NODE and node is not None and _group_fields(node).get(_TYPE) == [b"MatMulNBits"]:
                changed += 1
                nodes.append(_encode_message_field(NODE, _set_accuracy_level(node)))
            else:
                nodes.append(written)
        out.append(_encode_message_field(GRAPH, b"".join(nodes)))
    if not changed:
        raise ValueError("no 4-bit matrices")
    return b"".join(out)


def add_outputs(model: bytes, names: Sequence[str]) -> bytes:
    """Return the model with the named values of its graph as additional outputs."""
    return _add_to_graph(model, [_encode_output(name) for name in names])


def list_outputs(model: bytes) -> list[str]:
    """Return the names of the model's outputs."""
    graphs = (_group_fields(body) for number, _, body in _iter_fields(model) if number == GRAPH and body is not None)
    return [_group_fields(value)[1][0].decode() for graph in graphs for value in graph[_OUTPUT]]


def add_sum_output(model: bytes, parts: Iterable[tuple[str, np.ndarray[Any, Any]]]) -> bytes:
    """Return the model with one additional output: the sum of some of its values, each multiplied by a matrix.

    :param parts: (name of the value, matrix).
    """
    import numpy as np

    added = []
    products = []
    for at, (value, matrix) in enumerate(parts):
        weights, product = f"pagereel/weights/{at}", f"pagereel/product/{at}"
        shape = b"".join(_encode_varint(_DIMENSION << 3) + _encode_varint(size) for size in matrix.shape)
        kind = _encode_varint(_KIND << 3) + _encode_varint(_FLOAT)
        values = _encode_message_field(_VALUES, np.ascontiguousarray(matrix, np.float32).tobytes())
        added.append(
            _encode_message_field(_INITIALIZER, shape + kind + _encode_message_field(_NAMED, weights.encode()) + values)
        )
        added.append(_encode_message_field(NODE, _encode_node([value, weights], product, "MatMul")))
        products.append(product)
    added.append(_encode_message_field(NODE, _encode_node(products, _SUMMED, "Sum")))
    return _add_to_graph(model, [*added, _encode_output(_SUMMED)])


def _add_to_graph(model: bytes, added: Iterable[bytes]) -> bytes:
    """Return the model with fields added at the end of its graph."""
    more = b"".join(added)
    return b"".join(
        _encode_message_field(GRAPH, body + more) if number == GRAPH and body is not None else raw
        for number, raw, body in _iter_fields(model)
    )


def _encode_output(name: str) -> bytes:
    return _encode_message_field(_OUTPUT, _encode_message_field(1, name.encode()))


def _encode_node(inputs: Iterable[str], output: str, kind: str) -> bytes:
    return b"".join(_encode_message_field(1, name.encode()) for name in inputs) + b"".join(
        _encode_message_field(number, said.encode()) for number, said in ((2, output), (3, output), (_TYPE, kind))
    )


def _set_accuracy_level(node: bytes) -> bytes:
    kept = [
        raw
        for number, raw, body in _iter_fields(node)
        if not (number == _ATTRIBUTE and body and _group_fields(body)[1] == [_LEVEL])
    ]
    level = (
        _encode_message_field(1, _LEVEL)
        + _encode_varint(3 << 3)
        + _encode_varint(4)
        + _encode_varint(20 << 3)
        + _encode_varint(_INT)
    )
    return b"".join(kept) + _encode_message_field(_ATTRIBUTE, level)


# -- protocol buffers --------------------


def _iter_fields(data: bytes) -> Iterator[tuple[int, bytes, bytes | None]]:
    """Yield for each field of a protobuf message its number, its bytes, and its content if that is bytes."""
    at = 0
    while at < len(data):
        begin = at
        key, at = _read_varint(data, at)
        body = None
        if key & 7 == _VARINT:
            _, at = _read_varint(data, at)
        elif key & 7 == _BYTES:
            size, at = _read_varint(data, at)
            body = data[at : at + size]
            at += size
        elif key & 7 in (_FIXED64, _FIXED32):
            at += 8 if key & 7 == _FIXED64 else 4
        else:
            raise ValueError("not a protocol buffer")
        yield key >> 3, data[begin:at], body


def _group_fields(message: bytes) -> dict[int, list[bytes]]:
    """Return for each field number the contents of its fields. A field whose content is a number is represented by
    all its bytes.
    """
    found: dict[int, list[bytes]] = {}
    for number, raw, body in _iter_fields(message):
        found.setdefault(number, []).append(raw if body is None else body)
    return found


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            return value, at


def _encode_varint(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _encode_message_field(number: int, body: bytes) -> bytes:
    return _encode_varint(number << 3 | _BYTES) + _encode_varint(len(body)) + body
