"""What a public name is, read with ``inspect``: its signature as it is written, its docstring, its members."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, is_typeddict

_WIDTH = 100


@dataclass
class Entry:
    """A public name, or a member of a class."""

    name: str
    value: Any
    #: The module or the class that it is written in.
    home: Any
    signature: str
    doc: str
    is_value: bool = False
    members: list[Entry] = field(default_factory=list)
    #: What other documented classes say of its further members.
    inherited: dict[type, list[str]] = field(default_factory=dict)

    @property
    def module(self) -> ModuleType:
        return self.home if isinstance(self.home, ModuleType) else import_module(self.home.__module__)

    def types(self) -> tuple[set[type], dict[str, str]]:
        """What the signature names of this package: classes, and other names with what they stand for."""
        classes: set[type] = set()
        others: dict[str, str] = {}
        for name in () if self.home is self.module and self.is_value else re.findall(r"\b[A-Z]\w+", self.signature):
            of = _meaning(self.module, name)
            if isinstance(of, str):
                others[name] = of
            elif of is not None:
                classes.add(of)
        return classes, others


def find(name: str) -> tuple[ModuleType, Any]:
    """The module that a name is imported from, and what it is."""
    module = import_module(name.rpartition(".")[0])
    return module, getattr(module, name.rpartition(".")[2])


def entry(name: str, documented: set[Any]) -> Entry:
    """A name with its members; those of bases that are ``documented`` themselves are only named."""
    module, value = find(name)
    if inspect.isclass(value):
        made = Entry(name, value, import_module(value.__module__), f"class {_class(name, value)}", _doc(value))
        _add_members(made, documented)
        return made
    if callable(value):
        return Entry(name, value, import_module(value.__module__), _call(name, value), _doc(value))
    written = str(_meaning(module, name.rpartition(".")[2]))
    short = written if len(written) < _WIDTH else "..."
    _, comment = _comments(module, "").get(name.rpartition(".")[2], ("", ""))
    return Entry(name, value, module, f"{name} = {short}", comment, is_value=True)


def _doc(value: Any) -> str:
    return inspect.getdoc(value) or ""


def _class(name: str, value: type) -> str:
    if is_typeddict(value):
        fields = (f"    {key}: {_plain(of)}" for key, of in value.__annotations__.items())
        return "\n".join([f"{name}(TypedDict):", *fields])
    made_here = any("__init__" in vars(base) or "__new__" in vars(base) for base in value.__mro__ if _is_ours(base))
    return _call(name, value) if made_here and not getattr(value, "_is_protocol", False) else name


def _is_ours(cls: type) -> bool:
    return cls.__module__.startswith("aifgraph")


def _add_members(made: Entry, documented: set[Any]) -> None:
    seen: set[str] = set()
    for base in inspect.getmro(made.value):
        if not _is_ours(base):
            continue
        own = [each for each in _members(made.name, base) if each.name.rpartition(".")[2] not in seen]
        names = [each.name.rpartition(".")[2] for each in own]
        seen.update(names, vars(base))
        if base is made.value or base not in documented:
            made.members += own
        elif names:
            made.inherited[base] = names


def _members(name: str, cls: type) -> Iterator[Entry]:
    """What a class itself defines and documents, by docstring or by ``#:``, in the order of its source."""
    comments = _comments(import_module(cls.__module__), cls.__qualname__)
    for key, (annotation, doc) in comments.items():
        yield Entry(f"{name}.{key}", None, cls, f"{key}: {annotation}" if annotation else key, doc, is_value=True)
    for key, raw in vars(cls).items():
        if key.startswith("_") or key in comments:
            continue
        of = raw.func if isinstance(raw, cached_property) else raw.fget if isinstance(raw, property) else raw
        of = of.__func__ if isinstance(of, staticmethod | classmethod) else of
        if not inspect.isfunction(of) or not of.__doc__:
            continue
        if of is not raw and not isinstance(raw, staticmethod | classmethod):
            gives = inspect.signature(of).return_annotation
            yield Entry(f"{name}.{key}", raw, cls, f"{key}: {_plain(gives)}", _doc(of), is_value=True)
        else:
            bound = not isinstance(raw, staticmethod | classmethod)
            yield Entry(f"{name}.{key}", raw, cls, _call(key, getattr(cls, key), bound=bound), _doc(of))


class _Written:
    """An annotation or a default as it is shown in a signature."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def _plain(annotation: Any) -> str:
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__forward_arg__", None)
    return text or inspect.formatannotation(annotation)


def _call(name: str, value: Any, *, bound: bool = False) -> str:
    """How something is called, a method without what it is called on; on several lines where one is too long."""
    found = inspect.signature(value)
    shown = [_parameter(each) for each in found.parameters.values() if each.name[0] != "_"][bound:]
    says_nothing = found.return_annotation is found.empty or inspect.isclass(value)
    gives = "" if says_nothing else f" -> {_plain(found.return_annotation)}"
    line = f"{name}{inspect.Signature(shown)}{gives}"
    if len(line) <= _WIDTH:
        return line
    kinds = [each.kind for each in shown]
    rows = [str(each) for each in shown]
    if inspect.Parameter.KEYWORD_ONLY in kinds and inspect.Parameter.VAR_POSITIONAL not in kinds:
        rows.insert(kinds.index(inspect.Parameter.KEYWORD_ONLY), "*")
    return "\n".join([f"{name}(", *(f"    {row}," for row in rows), f"){gives}"])


def _parameter(parameter: inspect.Parameter) -> inspect.Parameter:
    annotation, default = parameter.annotation, parameter.default
    return parameter.replace(
        annotation=annotation if annotation is parameter.empty else _Written(_plain(annotation)),
        default=default
        if default is parameter.empty
        else _Written("..." if repr(default)[0] == "<" else repr(default)),
    )


@cache
def _tree(module: ModuleType) -> tuple[list[str], ast.Module]:
    source = inspect.getsource(module)
    return source.splitlines(), ast.parse(source)


def _comments(module: ModuleType, qualname: str) -> dict[str, tuple[str, str]]:
    """Annotation and ``#:`` of the names that a class (or, without one, the module) assigns."""
    lines, tree = _tree(module)
    body = tree.body
    for part in filter(None, qualname.split(".")):
        body = next(each.body for each in body if isinstance(each, ast.ClassDef) and each.name == part)
    found = {}
    for each in body:
        if isinstance(each, ast.Assign | ast.AnnAssign):
            target = each.target if isinstance(each, ast.AnnAssign) else each.targets[0]
            above: list[str] = []
            for line in reversed(lines[: each.lineno - 1]):
                if not line.strip().startswith("#:"):
                    break
                above.insert(0, line.strip().removeprefix("#:").strip())
            if above and isinstance(target, ast.Name) and not target.id.startswith("_"):
                annotation = ast.unparse(each.annotation) if isinstance(each, ast.AnnAssign) else ""
                found[target.id] = annotation, "\n".join(above)
    return found


@cache
def _meaning(module: ModuleType, name: str) -> type | str | None:
    """A name of this package in annotations: its class, or what it is assigned where it is defined."""
    for node in ast.walk(_tree(module)[1]):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("aifgraph"):
            if original := next((each.name for each in node.names if (each.asname or each.name) == name), None):
                return _meaning(import_module(str(node.module)), original)
        elif isinstance(node, ast.ClassDef) and node.name == name:
            cls: type = getattr(module, name)
            return cls
        elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.unparse(node.value)
    return None
