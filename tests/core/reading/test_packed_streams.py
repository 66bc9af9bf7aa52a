"""bzip2, xz, Zstandard and lz4: read like the file within, refused like a damaged gzip file."""

import io
import lzma
import zipfile

import pytest

from metrics import Qrels, ReadError, Run, read_run
from metrics.reading import read_all
from metrics.reading.unpack import PACKINGS, SMALL
from tests.cases import cases
from tests.fuzzing.valid import PACK

LINES = b"".join(b"q%d Q0 d%d 1 %d bm25\n" % (at, at * 7, 100 - at) for at in range(40))


EACH = pytest.mark.parametrize("ending", PACK)


def codes(pairs):
    return [note.code for note in pairs.notes]


def problem(data, name):
    with pytest.raises(ReadError) as caught:
        read_run(data, name)
    return caught.value.problems[0]


def test_every_packing_is_tried():
    assert [each.ending for each in PACKINGS] == list(PACK)


@EACH
def test_a_packed_file_is_the_file_within(ending):
    packed, plain = (
        read_run(data, name)
        for data, name in ((PACK[ending](LINES), f"r.txt.{ending}"), (LINES, "r.txt"))
    )
    assert packed.digest == plain.digest
    assert (codes(packed), packed.name) == (codes(plain), "r")


@EACH
def test_several_streams_after_one_another_are_one_file(ending):
    half = LINES.index(b"q20")
    data = PACK[ending](LINES[:half]) + PACK[ending](LINES[half:])
    assert len(read_run(data, f"r.{ending}").queries) == 40


@EACH
def test_a_name_that_says_otherwise_is_noted(ending):
    (note,) = (n for n in read_run(PACK[ending](LINES), "r.txt").notes if n.code == "N-ENDING")
    assert note.text == f"The file is packed as .{ending}, although its name ends in .txt."
    (note,) = (n for n in read_run(LINES, f"r.{ending}").notes if n.code == "N-ENDING")
    assert note.text == f"The file is not compressed, although its name ends in .{ending}."


@EACH
def test_tables_and_json_are_packed_too(ending):
    csv = b"query,document,grade\nq1,d1,2\n"
    (qrels,) = read_all(Qrels, PACK[ending](csv), f"qrels.csv.{ending}")
    (run,) = read_all(Run, PACK[ending](b'{"q1": {"d1": 1.5}}'), f"run.json.{ending}")
    assert (qrels.queries, run.queries) == (("q1",), ("q1",))


@EACH
@cases("kept", [0.3, 0.7, 0.97])
def test_a_file_that_was_cut_off(ending, kept):
    data = PACK[ending](LINES)
    assert problem(data[: int(kept * len(data))], f"r.{ending}").code == "E-PACKED"


@EACH
def test_a_file_that_was_damaged(ending):
    # Near its beginning: not every packer writes a check sum of the content.
    data = bytearray(PACK[ending](LINES))
    data[10:18] = b"damaged!"
    told = problem(bytes(data), f"r.{ending}")
    assert told.code == "E-PACKED"
    assert told.fix == "The file was cut off or damaged; download or compress it again."


@EACH
def test_a_file_that_was_packed_twice(ending):
    told = problem(PACK[ending](PACK[ending](LINES)), f"r.{ending}")
    assert (told.code, told.fix) == ("E-PACKED", "Unpack it once and use the result.")


@EACH
def test_a_packed_file_in_an_archive_is_refused(ending):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr(f"r.{ending}", PACK[ending](LINES))
    assert "nested in the archive" in problem(stream.getvalue(), "r.zip").found


@EACH
def test_a_bomb_is_refused_before_it_is_whole(ending):
    # No part is longer than what may still come, and nothing is read after the limit.
    data, read = PACK[ending](bytes(3 * SMALL)), 0
    kind = next(each for each in PACKINGS if each.ending == ending)
    for part in kind.parts(data, 1000):
        read += len(part)
        assert len(part) <= 1 << 20
        if read > SMALL:
            break
    told = problem(data, f"r.{ending}")
    assert (told.code, "limit ratio" in told.expected) == ("E-SIZE", True)


def test_a_text_that_begins_like_bzip2_is_a_text():
    assert read_run(b"BZh1 Q0 d1 1 2.5 t\n", "r.txt").queries == ("BZh1",)
    assert read_run(b"BZh91AY Q0 d1 1 2.5 t\n", "r.txt").queries == ("BZh91AY",)


def test_an_xz_file_that_wants_much_memory_is_refused():
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1 << 29}]
    data = lzma.compress(LINES, filters=filters)
    assert "Memory usage limit" in problem(data, "r.xz").found
