"""The archive of a bundle in any other form than its one is no bundle, to both verifiers."""

import io
import zipfile
from collections.abc import Callable

import pytest

from services.gateway.web import verify_bundle as verifier
from tests.proof.hostile import honest, refused


def zipped(**changed: bytes) -> bytes:
    """The files by Python's own zipfile, in its form, which is ours if nothing is changed."""
    return _zip(verifier.unzip(honest()) | changed)


def _zip(files: dict[str, bytes], compression: int = zipfile.ZIP_STORED, **fields: object) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", compression) as archive:
        for name in sorted(files):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.create_system, entry.external_attr, entry.compress_type = 3, 0o644 << 16, compression
            for field, value in fields.items():
                setattr(entry, field, value)
            archive.writestr(entry, files[name])
    return out.getvalue()


def twice(name: str) -> bytes:
    """An archive with two entries of one name, of which readers take the first or the last."""
    out = io.BytesIO(honest())
    with zipfile.ZipFile(out, "a") as archive:
        entry = zipfile.ZipInfo("x" * len(name), (1980, 1, 1, 0, 0, 0))
        archive.writestr(entry, b"{}")
    return out.getvalue().replace(b"x" * len(name), name.encode())


def zip64() -> bytes:
    """The last entry's sizes stand in a zip64 field."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in sorted(verifier.unzip(honest()).items()):
            with archive.open(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), "w", force_zip64=True) as entry:
                entry.write(content)
    return out.getvalue()


def lying_size(place: int, field: int) -> bytes:
    """The first local header names another size."""
    data = bytearray(honest())
    data[place : place + 4] = field.to_bytes(4, "little")
    return bytes(data)


ARCHIVES: dict[str, Callable[[], bytes]] = {
    "two entries of one name": lambda: twice(verifier.RECORDS),
    "two manifests": lambda: twice(verifier.MANIFEST),
    "data before": lambda: b"MZ" + honest(),
    "another archive before": lambda: _zip({"a": b"b"}) + honest(),
    "data behind": lambda: honest() + b"\0",
    "another archive behind": lambda: honest() + honest(),
    "an archive comment": lambda: honest()[:-2] + b"\2\0hi",
    "an entry's comment": lambda: _zip(verifier.unzip(honest()), comment=b"hi"),
    "an extra field": lambda: _zip(verifier.unzip(honest()), extra=b"\xfe\xca\0\0"),
    "another date": lambda: _zip(verifier.unzip(honest()), date_time=(2026, 1, 1, 0, 0, 0)),
    "another mode": lambda: _zip(verifier.unzip(honest()), external_attr=0o777 << 16),
    "compressed entries": lambda: _zip(verifier.unzip(honest()), zipfile.ZIP_DEFLATED),
    "entries compressed by bzip2": lambda: _zip(verifier.unzip(honest()), zipfile.ZIP_BZIP2),
    "a bomb": lambda: _zip({**verifier.unzip(honest()), verifier.RECORDS: bytes(10**7)}, zipfile.ZIP_DEFLATED),
    "zip64": zip64,
    "one entry too many": lambda: _zip({**verifier.unzip(honest()), "notes.txt": b"trust me"}),
    "one entry too few": lambda: _zip({k: v for k, v in verifier.unzip(honest()).items() if k != verifier.SEAL}),
    "a way out of the folder": lambda: zipped_as(verifier.SEAL, "../seal.json"),
    "an absolute name": lambda: zipped_as(verifier.SEAL, "/seal.json"),
    "a name in other letters": lambda: zipped_as(verifier.SEAL, "SEAL.json"),
    "a folder": lambda: _zip({**verifier.unzip(honest()), "seal.json/": b""}),
    "a size beyond the file": lambda: lying_size(18, 2**32 - 1),
    "a size of nothing": lambda: lying_size(22, 0),
    "larger than any bundle": lambda: bytes(verifier.BUNDLE_BYTES_MAX + 1),
    "the directory alone": lambda: honest()[honest().index(b"PK\1\2") :],
    "no directory": lambda: honest()[: honest().index(b"PK\1\2")],
}  # fmt: skip


def zipped_as(name: str, other: str) -> bytes:
    files = verifier.unzip(honest())
    files[other] = files.pop(name)
    return _zip(files)


def test_the_archive_that_these_tests_build_is_the_bundle_when_nothing_is_done_to_it() -> None:
    assert zipped() == honest()


@pytest.mark.parametrize("way", ARCHIVES, ids=str)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_an_archive_in_any_other_form_is_no_bundle(way: str) -> None:
    assert refused(ARCHIVES[way]()) == "bundle"
