"""Files are written whole or not at all, and only what is a plain file is replaced."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from aifgraph.errors import InputError
from aifgraph.files import new_file, new_folder, write_atomic

pytestmark = pytest.mark.skipif(os.name == "nt", reason="modes, links and pipes of Unix")


def test_a_folder_that_is_not_there_is_named_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"build/report\.html: there is no folder .*build; make it first"):
        write_atomic(tmp_path / "build" / "report.html", "new")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_replaced_keeps_its_mode(tmp_path: Path) -> None:
    place = tmp_path / "scores.json"
    place.write_text("old")
    place.chmod(0o600)
    write_atomic(place, "new")
    assert place.read_text() == "new"
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="only root gives files away")
def test_a_file_that_is_replaced_keeps_its_owner(tmp_path: Path) -> None:
    place = tmp_path / "scores.json"
    place.write_text("old")
    os.chown(place, 12345, 54321)
    write_atomic(place, "new")
    assert (place.stat().st_uid, place.stat().st_gid) == (12345, 54321)


@pytest.mark.parametrize("there", [True, False])
def test_a_link_stays_and_its_target_is_written(tmp_path: Path, there: bool) -> None:
    (tmp_path / "inner").mkdir()
    target, link = tmp_path / "inner" / "target.json", tmp_path / "link.json"
    if there:
        target.write_text("old")
    link.symlink_to("inner/target.json")
    write_atomic(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert sorted(os.listdir(tmp_path / "inner")) == ["target.json"]


def test_a_circle_of_links_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    with pytest.raises(InputError):
        write_atomic(tmp_path / "a", "new")
    assert (tmp_path / "a").is_symlink()


def test_a_pipe_is_written_through(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    arrived: list[bytes] = []
    reader = threading.Thread(target=lambda: arrived.append(pipe.read_bytes()))
    reader.start()
    write_atomic(pipe, "through")
    reader.join(10)
    assert arrived == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_a_device_is_written_through(tmp_path: Path) -> None:
    device = tmp_path / "null"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        write_atomic(device, "nothing")
    except (PermissionError, InputError):
        pytest.skip("no device can be made here")
    assert stat.S_ISCHR(device.stat().st_mode)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
def test_a_full_device_is_an_error_of_the_place() -> None:
    with pytest.raises(InputError, match="/dev/full"):
        write_atomic(Path("/dev/full"), "x" * 100_000)


@pytest.mark.parametrize("name", ["n" * 300, "nul\0", "half\ud800"])
def test_names_that_no_file_can_have(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError):
        write_atomic(tmp_path / name, "x")
    assert os.listdir(tmp_path) == []


def test_two_writers_do_not_share_their_parts(tmp_path: Path) -> None:
    place = tmp_path / "scores.json"
    with new_file(place) as first, new_file(place) as second:
        first.write(b"first")
        second.write(b"second")
    assert place.read_bytes() == b"first"
    with new_folder(tmp_path / "maps") as one, new_folder(tmp_path / "others") as other:
        assert one != other
        (one / "a").write_text("a")
    assert sorted(os.listdir(tmp_path)) == ["maps", "others", "scores.json"]
    assert os.listdir(tmp_path / "maps") == ["a"]
    with pytest.raises(InputError), new_folder(tmp_path / "maps"):
        pass


def test_nothing_is_left_of_a_failed_write(tmp_path: Path) -> None:
    def fail() -> None:
        with new_file(tmp_path / "scores.json") as file:
            file.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert os.listdir(tmp_path) == []
