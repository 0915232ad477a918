"""One lock for all code that is loaded late: what one thread loads, another could meet when it is half loaded."""

from threading import RLock

LOADING = RLock()
