"""From disagreement to one agreed map: decisions about differences, and two maps merged by them."""
