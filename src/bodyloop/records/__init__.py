"""Specs, records, journal, fingerprints, manifests."""
