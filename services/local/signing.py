"""The signing keys of an installation on this machine: made once, in its data folder, unless others are given."""

from services.local.folder import Folder, write_private
from shared.proof.keys import new_key, pem

FILE = "signing-keys.pem"


def source(folder: Folder, given: str) -> str:
    """The keys as PEM text: as given (a path or the text), else the folder's own, made when they are missing. Read once
    for all services, so that none that is started again signs by a key that the others don't know. Raises BadKeys."""
    if given:
        return pem(given)
    file = folder.secret / FILE
    if not file.exists():
        write_private(file, new_key())
    return pem(str(file))
