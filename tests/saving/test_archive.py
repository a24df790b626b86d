"""One-file archives: read back, mapped, the same bytes, and nothing hostile gets through."""

import io
import zipfile

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from ir.programs import by_name
from saving.mutation import mutate_bytes
from support.sampling import amount

from dy2st.errors import ModelFileError
from dy2st.ir.printer import print_program
from dy2st.saving import Info, read_files, write_files
from dy2st.saving.archive import name_problem

PROGRAM = by_name("tensor_and_parameter").build()


def archive(**extra):
    file = io.BytesIO()
    write_files(file, PROGRAM, Info(name="net", extra_files=extra))
    return file.getvalue()


GOOD = archive(notes=b"by hand")


def test_path_and_file_object_give_the_same(tmp_path):
    info = Info(name="net", extra_files={"notes": b"by hand"})
    write_files(tmp_path / "deep" / "net.dy2st", PROGRAM, info)
    write_files(tmp_path / "net.zip", PROGRAM, info, archive=True)
    assert (tmp_path / "deep" / "net.dy2st").read_bytes() == (tmp_path / "net.zip").read_bytes() == GOOD
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["net.dy2st"]
    for source in (tmp_path / "deep" / "net.dy2st", tmp_path / "net.zip", io.BytesIO(GOOD)):
        program, loaded = read_files(source)
        assert print_program(program) == print_program(PROGRAM) and loaded.name == "net"
        assert loaded.extra_files == {"notes": b"by hand"}


def test_parameters_are_mapped_from_inside(tmp_path):
    (tmp_path / "net.dy2st").write_bytes(GOOD)
    data = read_files(tmp_path / "net.dy2st")[0].parameters["linear.weight"].data
    assert data.flags.aligned and not data.flags.writeable and not data.flags.owndata
    np.testing.assert_array_equal(data, np.array([3, 4], np.float32))


def test_any_zip_tool_reads_it():
    with zipfile.ZipFile(io.BytesIO(GOOD)) as found:
        assert found.testzip() is None
        assert found.namelist() == ["info.json", "model.json", "params.safetensors", "extra/notes"]


def test_extra_files_need_an_archive(tmp_path):
    with pytest.raises(ValueError, match="extra files need an archive"):
        write_files(tmp_path / "net", PROGRAM, Info(extra_files={"a": b""}))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["../x", "/x", "a//b", "a/./b", "c:x", "a\\b", "", "a\nb", "x" * 2000])
def test_names_that_lead_elsewhere_are_refused(name, tmp_path):
    assert name_problem(name)
    with pytest.raises(ValueError, match="can't hold a file called"):
        write_files(tmp_path / "net.dy2st", PROGRAM, Info(extra_files={name: b"x"}))
    assert list(tmp_path.iterdir()) == []
    assert not name_problem("notes/a b-é.txt")


def rezip(change, compression=zipfile.ZIP_STORED):
    """The archive with other members."""
    with zipfile.ZipFile(io.BytesIO(GOOD)) as old:
        members = [(i.filename, old.read(i)) for i in old.infolist()]
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", compression) as new:
        for name, data in change(members):
            new.writestr(zipfile.ZipInfo(name), data, compression)
    return file.getvalue()


def doubled(data):
    """Two entries of one name in the directory."""
    return data.replace(b"extra/notes", b"params.safe", 1).replace(b"extra/notes", b"params.safe")


@pytest.mark.parametrize(
    "data, reason",
    [
        (b"", "not a readable archive"),
        (b"PK\3\4 and nothing", "not a readable archive"),
        (GOOD[:-30], "not a readable archive"),
        (GOOD[100:], "is not|name|outside|overlap|damaged|readable"),
        (rezip(lambda m: m[1:]), "lacks info.json"),
        (rezip(lambda m: m, zipfile.ZIP_DEFLATED), "compressed or encrypted"),
        (rezip(lambda m: [*m, ("extra/bomb", b"\0" * 10**6)], zipfile.ZIP_DEFLATED), "compressed or encrypted"),
        (rezip(lambda m: [*m, ("../../evil", b"x")]), "without '.' and '..'"),
        (rezip(lambda m: [*m, ("/etc/passwd", b"x")]), "must be relative"),
        (rezip(lambda m: [*m, ("code.py", b"x")]), "doesn't belong"),
        (
            rezip(lambda m: [(n, d + b" " if n == "model.json" else d) for n, d in m]),
            "model.json is not the file that info.json names",
        ),
        (GOOD.replace(b"by hand", b"by foot"), "'extra/notes' is damaged"),
    ],
)
def test_hostile_archives_are_refused_in_words(data, reason):
    with pytest.raises(ModelFileError, match=reason):
        read_files(io.BytesIO(data))


def test_two_members_of_one_name(recwarn):
    data = rezip(lambda m: [*m, ("model.json", b"{}")])
    with pytest.raises(ModelFileError, match="two members called 'model.json'"):
        read_files(io.BytesIO(data))


def test_a_name_that_differs_where_the_data_lies():
    at = GOOD.index(b"extra/notes")
    with pytest.raises(ModelFileError, match="another name"):
        read_files(io.BytesIO(GOOD[:at] + b"extra/other" + GOOD[at + 11 :]))


def test_overlapping_members():
    """The directory sends two members to the same data, as quoted zip bombs do."""
    data = bytearray(rezip(lambda m: [*m, ("extra/a", b"1"), ("extra/b", b"1")]))
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as found:
        a, b = (found.getinfo(f"extra/{n}").header_offset for n in "ab")
    directory = data.rindex(b"extra/b") - 46
    data[directory + 42 : directory + 46] = a.to_bytes(4, "little")
    data[data.rindex(b"extra/b") : data.rindex(b"extra/b") + 7] = b"extra/a"
    with pytest.raises(ModelFileError, match="two members called|overlap"):
        read_files(io.BytesIO(bytes(data)))
    assert a < b


def test_text_file_objects_and_missing_files(tmp_path):
    with pytest.raises(ModelFileError, match="gives bytes"):
        read_files(io.StringIO("text"))
    with pytest.raises(ModelFileError, match="No such file"):
        read_files(tmp_path / "none.dy2st")
    with pytest.raises(ModelFileError, match="No such file"):
        read_files(tmp_path / "none")


@pytest.mark.long
@settings(max_examples=amount(300, 50), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False))
def test_changed_bytes_load_the_same_or_are_refused(random):
    try:
        program, _ = read_files(io.BytesIO(mutate_bytes(GOOD, random)))
    except ModelFileError as error:
        assert str(error)
    else:
        assert print_program(program) == print_program(PROGRAM)
