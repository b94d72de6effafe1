"""A slow, independent implementation of CASS, written from the specification alone: the oracle of the differential tests."""
