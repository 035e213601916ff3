"""The second and third set: applications from PyPI behind a proxy that makes them as restless as sites are, and plants what differs."""
