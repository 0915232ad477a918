"""Chains drawn elsewhere: readers of CmdStan's CSV, tables, Parquet, ArviZ's NetCDF and Zarr, and archives."""
