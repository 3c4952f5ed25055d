"""Points that Qdrant's client pickled, parsed as plain data without unpickling.

A pickle is a program for a stack machine. This interpreter runs the instructions that build numbers, strings, lists and
mappings. It never imports a name and never calls a function; a pickle that asks for one is refused.
"""

import io
from collections.abc import Callable
from pickletools import opcodes
from typing import Any

import numpy as np

from vestige.errors import InputError

Stack = list[Any]
MARK, POINT = object(), object()
INSTRUCTIONS = {opcode.code: opcode for opcode in opcodes}
FLOATS = np.dtype([("code", "S1"), ("value", ">f8")])
MOST_GROWTH, FEW_MEMBERS, DEEPEST = 10, 1000, 100
MODULE, CLASSES = "qdrant_client.", ("PointStruct", "SparseVector")


def parse_point(blob: bytes, place: str) -> dict[str, Any]:
    """Return the fields of one point."""
    try:
        fields = dict(_run(io.BytesIO(blob))["__dict__"])
        _check_size(fields, len(blob))
        return fields
    except (AttributeError, KeyError, IndexError, TypeError, ValueError, OverflowError, RecursionError) as error:
        raise InputError(
            f"{place} has a row that is not a point of Qdrant ({error}); it was not read, remove it or write it again"
        ) from error


def _check_size(fields: dict[str, Any], length: int) -> None:
    """Raise if a value contains itself, is nested very deeply, or grows when what it shares is written out.

    A pickle of a kilobyte can name a list of lists that has a million members twenty levels down.
    """
    sizes: dict[int, int] = {}
    if _measure(fields, sizes, 0) > MOST_GROWTH * length + FEW_MEMBERS:
        raise ValueError("it unfolds to far more than it holds")


def _measure(value: Any, sizes: dict[int, int], depth: int) -> int:
    """The members of a value, with all that is nested in it, counted as often as they occur."""
    if not isinstance(value, dict | list | tuple | set):
        return 1
    if depth > DEEPEST:
        raise ValueError(f"it is nested more than {DEEPEST} levels deep, or contains itself")
    if id(value) not in sizes:
        members = value.values() if isinstance(value, dict) else value
        sizes[id(value)] = 1 + sum(_measure(member, sizes, depth + 1) for member in members)
    return sizes[id(value)]


def _run(program: io.BytesIO) -> Any:
    """Run the program until STOP, and return the top of the stack."""
    stack: Stack = []
    memory: list[Any] = []
    while code := program.read(1).decode("latin-1"):
        instruction = INSTRUCTIONS[code]
        argument: Any = instruction.arg.reader(program) if instruction.arg is not None else None
        if instruction.name == "STOP":
            return stack.pop()
        if instruction.name == "MEMOIZE":
            memory.append(stack[-1])
        elif instruction.name in ("BINGET", "LONG_BINGET"):
            stack.append(memory[argument])
        elif instruction.name in STEPS:
            STEPS[instruction.name](stack)
        else:
            stack += _push_literal(instruction.name, argument, program)
    raise ValueError("it is truncated")


def _push_literal(name: str, value: Any, program: io.BytesIO) -> Stack:
    """What a literal instruction pushes. Any other instruction is refused."""
    if name in IGNORED:
        return []
    if name not in LITERALS:
        raise ValueError(f"it contains the instruction {name}")
    return [value, *_read_floats(program)] if name == "BINFLOAT" else [value]


def _read_floats(program: io.BytesIO) -> list[float]:
    """Read the floats that follow immediately, as in a vector."""
    rest = program.getbuffer()[program.tell() :]
    run = np.frombuffer(rest[: len(rest) // FLOATS.itemsize * FLOATS.itemsize], FLOATS)
    ends = np.flatnonzero(run["code"] != b"G")
    count = int(ends[0]) if len(ends) else len(run)
    program.seek(count * FLOATS.itemsize, io.SEEK_CUR)
    floats: list[float] = run["value"][:count].tolist()
    return floats


def _pop_to_mark(stack: Stack) -> Stack:
    start = len(stack) - 1 - stack[::-1].index(MARK)
    items = stack[start + 1 :]
    del stack[start:]
    return items


def _push_class(stack: Stack) -> None:
    """Push a marker for a class of Qdrant, which is not imported. Any other class is refused."""
    name, module = stack.pop(), stack.pop()
    if not module.startswith(MODULE) or name not in CLASSES:
        raise ValueError(f"it names {module}.{name}")
    stack.append(POINT)


def _create(stack: Stack) -> None:
    arguments, created = stack.pop(), stack.pop()
    if created is not POINT or arguments != ():
        raise ValueError("it creates another object")
    stack.append(POINT)


def _set_state(stack: Stack) -> None:
    """Replace the point by its fields."""
    fields, point = stack.pop(), stack.pop()
    if point is not POINT:
        raise ValueError("it creates another object")
    stack.append(fields)


def _set_items(stack: Stack) -> None:
    items = _pop_to_mark(stack)
    stack[-1].update(zip(items[::2], items[1::2], strict=True))


def _set_item(stack: Stack) -> None:
    value, key = stack.pop(), stack.pop()
    stack[-1][key] = value


def _extend(stack: Stack) -> None:
    items = _pop_to_mark(stack)
    stack[-1].extend(items)


def _append(stack: Stack) -> None:
    item = stack.pop()
    stack[-1].append(item)


def _add_items(stack: Stack) -> None:
    items = _pop_to_mark(stack)
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
    "APPENDS": _extend,
    "SETITEM": _set_item,
    "SETITEMS": _set_items,
    "ADDITEMS": _add_items,
    "STACK_GLOBAL": _push_class,
    "NEWOBJ": _create,
    "BUILD": _set_state,
}
LITERALS = {"BINFLOAT", "BININT", "BININT1", "BININT2", "LONG1", "SHORT_BINUNICODE", "BINUNICODE", "BINUNICODE8"}
IGNORED = {"PROTO", "FRAME"}
