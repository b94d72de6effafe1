"""A small local service: two maps in, their comparison as JSON or as a page out. Keeps no state and writes no file."""
