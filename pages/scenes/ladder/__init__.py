"""A ladder of levels as topics show it: rungs and walkers, a swap opened with its ratio and its dart, its cards."""
