"""Points that Qdrant's client pickled, read as plain data: nothing is unpickled.

A pickle is a program for a small machine. This one knows the instructions that build numbers, strings, lists and
mappings, and refuses those that import a name or call a function, whatever they name.
"""

import io
from collections.abc import Callable
from pickletools import opcodes
from typing import Any

import numpy as np

from vestige.errors import InputError

Stack = list[Any]
MARK, POINT = object(), object()
INSTRUCTIONS = {each.code: each for each in opcodes}
FLOATS = np.dtype([("code", "S1"), ("value", ">f8")])
MODULE, CLASSES = "qdrant_client.", ("PointStruct", "SparseVector")


def as_plain_data(blob: bytes, place: str) -> dict[str, Any]:
    """The fields of one point."""
    try:
        fields = _built(io.BytesIO(blob))["__dict__"]
        return dict(fields)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        raise InputError(f"{place} has a row that is no point of Qdrant ({error}); it was not read") from error


def _built(program: io.BytesIO) -> Any:
    """Run the program until it says that what lies on the stack is the whole."""
    stack: Stack = []
    memory: list[Any] = []
    while code := program.read(1).decode("latin-1"):
        known = INSTRUCTIONS[code]
        argument: Any = known.arg.reader(program) if known.arg is not None else None
        if known.name == "STOP":
            return stack.pop()
        if known.name == "MEMOIZE":
            memory.append(stack[-1])
        elif known.name in ("BINGET", "LONG_BINGET"):
            stack.append(memory[argument])
        elif known.name in STEPS:
            STEPS[known.name](stack)
        else:
            stack += _literal(known.name, argument, program)
    raise ValueError("it breaks off")


def _literal(name: str, value: Any, program: io.BytesIO) -> Stack:
    """What an instruction puts on the stack as it stands."""
    if name in PASSED_OVER:
        return []
    if name not in LITERAL:
        raise ValueError(f"it asks for {name}")
    return [value, *_run_of_floats(program)] if name == "BINFLOAT" else [value]


def _run_of_floats(program: io.BytesIO) -> list[float]:
    """The floats that follow at once, as in a vector."""
    rest = program.getbuffer()[program.tell() :]
    run = np.frombuffer(rest[: len(rest) // FLOATS.itemsize * FLOATS.itemsize], FLOATS)
    ends = np.flatnonzero(run["code"] != b"G")
    count = int(ends[0]) if len(ends) else len(run)
    program.seek(count * FLOATS.itemsize, io.SEEK_CUR)
    floats: list[float] = run["value"][:count].tolist()
    return floats


def _since_mark(stack: Stack) -> Stack:
    start = len(stack) - 1 - stack[::-1].index(MARK)
    items = stack[start + 1 :]
    del stack[start:]
    return items


def _class(stack: Stack) -> None:
    name, module = stack.pop(), stack.pop()
    if not module.startswith(MODULE) or name not in CLASSES:
        raise ValueError(f"it names {module}.{name}")
    stack.append(POINT)


def _new(stack: Stack) -> None:
    given, made = stack.pop(), stack.pop()
    if made is not POINT or given != ():
        raise ValueError("it makes something else")
    stack.append(POINT)


def _state(stack: Stack) -> None:
    """The point becomes its fields."""
    fields, point = stack.pop(), stack.pop()
    if point is not POINT:
        raise ValueError("it makes something else")
    stack.append(fields)


def _set_items(stack: Stack) -> None:
    items = _since_mark(stack)
    stack[-1].update(zip(items[::2], items[1::2], strict=True))


def _set_item(stack: Stack) -> None:
    value, key = stack.pop(), stack.pop()
    stack[-1][key] = value


def _appends(stack: Stack) -> None:
    items = _since_mark(stack)
    stack[-1].extend(items)


def _append(stack: Stack) -> None:
    item = stack.pop()
    stack[-1].append(item)


def _add_items(stack: Stack) -> None:
    items = _since_mark(stack)
    stack[-1].update(items)


STEPS: dict[str, Callable[[Stack], None]] = {
    "MARK": lambda stack: stack.append(MARK),
    "NONE": lambda stack: stack.append(None),
    "NEWTRUE": lambda stack: stack.append(True),
    "NEWFALSE": lambda stack: stack.append(False),
    "EMPTY_LIST": lambda stack: stack.append([]),
    "EMPTY_DICT": lambda stack: stack.append({}),
    "EMPTY_SET": lambda stack: stack.append(set()),
    "EMPTY_TUPLE": lambda stack: stack.append(()),
    "APPEND": _append,
    "APPENDS": _appends,
    "SETITEM": _set_item,
    "SETITEMS": _set_items,
    "ADDITEMS": _add_items,
    "STACK_GLOBAL": _class,
    "NEWOBJ": _new,
    "BUILD": _state,
}
LITERAL = {"BINFLOAT", "BININT", "BININT1", "BININT2", "LONG1", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"}
PASSED_OVER = {"PROTO", "FRAME"}
