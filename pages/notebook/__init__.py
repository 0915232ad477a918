"""The stage in a notebook: a host without a server, whose frames come from Python in the same process."""
