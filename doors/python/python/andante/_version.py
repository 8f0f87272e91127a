"""The version of the package."""

from importlib.metadata import PackageNotFoundError, version

try:
    __version__ = version("andante")
except PackageNotFoundError:  # run from the sources, without being installed
    __version__ = "unknown"
