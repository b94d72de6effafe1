"""CASS once more, slowly and from its specification alone: the oracle of the differential tests."""
