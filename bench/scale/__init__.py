"""bench/scale: how many recordings one machine builds in an hour, and what a thousand cost.

    python -m bench.scale REEL [--sessions 5] [--copies 8] [--jobs 2] [--json FILE]

First the demo's errand is run without its pauses, in turn alone, recorded, and recorded with shared resources: measured are the CPU seconds of all
processes, and bytes. REEL is a recording of a typical session (`make demo` leaves one). Copies of it are built, redacted for a vendor, by
`build_many`: one at a time, on processes, and on a Dask cluster of this machine; then once more with nothing changed, and once from and to a store
(an `fsspec` file system that is not a path). The models are loaded anew in each way, as they would be.
"""
