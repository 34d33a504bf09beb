"""The signing keys of an installation on this machine: made once, in its data folder, unless others are given."""

from services.local.folder import Folder, write_private
from shared.proof.keys import new_key

FILE = "signing-keys.pem"


def source(folder: Folder, given: str) -> str:
    """Where the keys are: as given (a path or PEM text), else the folder's own file, made when it is missing."""
    if given:
        return given
    file = folder.secret / FILE
    if not file.exists():
        write_private(file, new_key())
    return str(file)
